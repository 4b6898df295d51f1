// Code that runs inside the measured pages. Each function is sent to the browser as text, so it is
// self-contained; all pages use the same ones.

/**
 * Selectors of a page's parts. `host` is the element whose shadow root contains them; empty for the
 * document.
 */
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
  /**
   * When the first field was usable and the pay button was painted; milliseconds since navigation.
   */
  readonly usable: Promise<number>
  shift: number
  /** The elements that shifted, for debugging. */
  readonly moved: string[]
}

/** Time until a keystroke was on the screen, in milliseconds. */
export interface KeyTime {
  /** Since keydown: includes the browser's own editing, which is the same for every page. */
  readonly fromKey: number
  /** Since the input event. */
  readonly fromInput: number
}

declare global {
  interface Window {
    hcMarks: Marks
    hcKeys: KeyTime[]
    /** Called within a frame: resolves with the time when it is on the screen. */
    hcAfterFrame: () => Promise<number>
    /** The same for the next frame. */
    hcPainted: () => Promise<number>
    /** Releases the banks' answer that `holdBanks` holds back. */
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

/** Runs in every page before its own scripts. */
export function preparePage(mark: string): void {
  // Not on the blank page that a tab starts with.
  if (location.protocol.startsWith('http')) performance.mark(mark)
  window.hcAfterFrame = () =>
    new Promise((resolve) => {
      // A message posted within a frame arrives after the frame was painted.
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve(performance.now()))
      port1.start()
      port2.postMessage(undefined)
    })
  window.hcPainted = () =>
    new Promise((resolve) => requestAnimationFrame(() => void window.hcAfterFrame().then(resolve)))
}

/** Measures from the start of a page: time until usable, layout shift. */
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

/** Passively records when each keystroke that changed a field was on the screen. */
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

/** Holds back the answer with the banks until `hcRelease`. */
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
  /** From having the data until the first rows are painted, milliseconds. */
  readonly first: number
  /**
   * The same until all rows are painted; the list is scrolled as soon as its first rows are there.
   */
  readonly all: number
  readonly rows: number
}

/** Starts the list of banks and waits until `wanted` rows are painted, or no more come. */
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
  // Ends after half a second without new rows.
  while (count < wanted && performance.now() - (all || begun) < (all ? 500 : 10_000)) {
    const at = await window.hcPainted()
    const now = rows().length
    if (now > 0 && first === 0) {
      first = at - begun
      // Rows that are rendered only on scrolling count as well, with the time they take.
      const list = root()?.querySelector(places.row)?.parentElement
      if (list && now < wanted) list.scrollTop = 1
    }
    if (now > count) all = at
    count = now
  }
  return { first, all: all - begun, rows: count }
}

/** Time until another element is painted, with its script already loaded, in milliseconds. */
export async function timeElement(tag: string): Promise<number> {
  const begun = performance.now()
  const element = document.querySelector(tag)?.cloneNode() as Element & { updateComplete: Promise<unknown> }
  document.body.append(element)
  await element.updateComplete
  const at = await window.hcPainted()
  element.remove()
  return at - begun
}
