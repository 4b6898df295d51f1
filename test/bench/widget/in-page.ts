// What runs inside the measured pages. Each function is sent to the browser as text, so it stands alone; the same ones measure every page.

/** Where a page has its parts. `host` is the element whose shadow root holds them; empty for the document. */
export interface Places {
  readonly host: string
  /** A field of the form. */
  readonly field: string
  readonly pay: string
  /** The field that opens the list of banks, and a row of the list. */
  readonly bank: string
  readonly row: string
}

export interface Marks {
  /** When the first field could be used and the pay button was there, painted; milliseconds since navigation. */
  readonly usable: Promise<number>
  shift: number
  /** What moved, for whoever wants to mend it. */
  readonly moved: string[]
}

/** When a keystroke was on the screen, in milliseconds. */
export interface KeyTime {
  /** Since the key went down: with the browser's own editing, the same for every page. */
  readonly fromKey: number
  /** Since the page was told of the changed text. */
  readonly fromInput: number
}

declare global {
  interface Window {
    hcMarks: Marks
    hcKeys: KeyTime[]
    /** Called within a frame: resolves when it is on the screen, with that moment. */
    hcAfterFrame: () => Promise<number>
    /** The same for the next frame. */
    hcPainted: () => Promise<number>
    /** Hands over the banks' answer that the list page holds back. */
    hcRelease: () => void
    /** Creates, mounts and opens the peer's list of banks. */
    hcMount: () => void
  }
  interface PerformanceEntry {
    readonly value: number
    readonly hadRecentInput: boolean
    readonly sources: readonly { readonly node: Node | null }[]
  }
}

/** Goes into every page before its own scripts. */
export function preparePage(mark: string): void {
  // The blank page that a tab begins with is not the one to be measured.
  if (location.protocol.startsWith('http')) performance.mark(mark)
  window.hcAfterFrame = () =>
    new Promise((resolve) => {
      // A message sent from within a frame comes after it: what it shows is on the screen then.
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve(performance.now()))
      port1.start()
      port2.postMessage(undefined)
    })
  window.hcPainted = () =>
    new Promise((resolve) => requestAnimationFrame(() => void window.hcAfterFrame().then(resolve)))
}

/** From the first moment of a page: usable, layout shift. */
export function watchLoad(places: Places): void {
  let usable: (at: number) => void = () => {}
  const marks: Marks = { usable: new Promise((resolve) => (usable = resolve)), shift: 0, moved: [] }
  window.hcMarks = marks
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue
      marks.shift += entry.value
      for (const { node } of entry.sources) {
        const element = node instanceof Element ? node : node && node.parentElement
        if (element) {
          const { localName, id, className, textContent } = element
          marks.moved.push(
            `${entry.value.toFixed(3)} ${localName}#${id}.${className} "${textContent.trim().slice(0, 20)}"`,
          )
        }
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })

  const seen = (element: Element | null | undefined): boolean => {
    if (!element || element.matches(':disabled')) return false
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
  }
  const look = (): void => {
    const host = places.host ? document.querySelector(places.host) : document.documentElement
    const root = host && (places.host ? host.shadowRoot : host)
    if (root && seen(root.querySelector(places.field)) && seen(root.querySelector(places.pay))) {
      void window.hcAfterFrame().then(usable)
    } else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Types nothing and shows nothing: notes when each keystroke that changed a field was on the screen. */
export function watchKeys(): void {
  window.hcKeys = []
  let pressed = 0
  addEventListener('keydown', (event) => (pressed = event.timeStamp), true)
  addEventListener(
    'input',
    () => {
      const key = pressed
      const input = performance.now()
      void window.hcPainted().then((at) => window.hcKeys.push({ fromKey: at - key, fromInput: at - input }))
    },
    true,
  )
}

/** Keeps the answer with the banks until `hcRelease`. */
export function holdBanks(answer: string): void {
  const send = window.fetch
  const held: (() => void)[] = []
  window.hcRelease = () => held.forEach((release) => release())
  window.fetch = (input, init) =>
    typeof input === 'string' && input.includes('/v1/banks')
      ? new Promise((resolve) => {
          held.push(() => resolve(new Response(answer, { headers: { 'content-type': 'application/json' } })))
        })
      : send.call(window, input, init)
}

export interface Listed {
  /** Data in hand to the first rows painted, milliseconds. */
  readonly first: number
  /** The same until no row is missing, the list being scrolled as soon as its first rows are there. */
  readonly all: number
  readonly rows: number
}

/** Starts the list of banks and waits until as many rows as `wanted` are painted, or no more come. */
export async function timeList({ places, wanted }: { places: Places; wanted: number }): Promise<Listed> {
  const root = () => (places.host ? document.querySelector(places.host)?.shadowRoot : document)
  const rows = () =>
    Array.from(root()?.querySelectorAll(places.row) ?? []).filter((row) => row.getBoundingClientRect().height > 0)
  const begun = performance.now()
  if (places.host) window.hcRelease()
  else window.hcMount()
  let first = 0
  let all = 0
  let count = 0
  // Half a second in which nothing comes is the end.
  while (count < wanted && performance.now() - (all || begun) < (all ? 500 : 10_000)) {
    const at = await window.hcPainted()
    const now = rows().length
    if (now > 0 && first === 0) {
      first = at - begun
      // Rows that are drawn when somebody goes to them count as well, with the time that they take then.
      const list = root()?.querySelector(places.row)?.parentElement
      if (list && now < wanted) list.scrollTop = 1
    }
    if (now > count) all = at
    count = now
  }
  return { first, all: all - begun, rows: count }
}

/** How long a further element takes until it is painted, its script and parts being there, milliseconds. */
export async function timeElement(tag: string): Promise<number> {
  const begun = performance.now()
  const element = document.querySelector(tag)?.cloneNode() as Element & { updateComplete: Promise<unknown> }
  document.body.append(element)
  await element.updateComplete
  const at = await window.hcPainted()
  element.remove()
  return at - begun
}
