// The element in other people's pages and on their phones: inside a form, in a right-to-left page,
// on a narrow screen, with a companion newer than the script, with a browser that saves data.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { aTimeout, expect, fixtureSync, html, waitUntil } from '@open-wc/testing'
import 'hc-checkout/define'
import type { HcCheckout } from 'hc-checkout'
import { companion, lamp, slow, view } from './companion.ts'
import type { Doors } from './companion.ts'
import { text, within } from './shown.ts'

let network: ReturnType<typeof companion> | undefined
const realTimeout = window.setTimeout

async function show(doors: Doors = {}, around = document.createElement('div')): Promise<HcCheckout> {
  network = companion(doors)
  const element = document.createElement('hc-checkout')
  element.setAttribute('companion', 'https://pay.example')
  element.setAttribute('locale', 'en')
  element.setAttribute('name', 'payment')
  // As a shop does that has words of its own, written from right to left.
  element.style.direction = around.dir
  around.append(element)
  // Waits for no frame: a page that is not in front draws none.
  fixtureSync(html`${around}`)
  await waitUntil(() => within(element, '[role=combobox]'), '', slow)
  return element
}

async function resumed(doors: Doors, around?: HTMLDivElement): Promise<HcCheckout> {
  const element = await show(doors, around)
  element.resume('dep_1', 'tok_1')
  await waitUntil(() => within(element, '.mark'), '', slow)
  return element
}

afterEach(() => {
  network?.close()
  window.setTimeout = realTimeout
  delete (navigator as { connection?: unknown }).connection
})

describe('a form of the shop’s around it', () => {
  it('is sent with the id of the payment, and with nothing before there is one', async () => {
    const form = document.createElement('form')
    const around = document.createElement('div')
    around.append(form)
    const element = await show({ 'GET /v1/deposits/dep_1': () => view() }, form as unknown as HTMLDivElement)
    expect(new FormData(form).get('payment')).to.equal(null)
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    expect(new FormData(form).get('payment')).to.equal('dep_1')
  })

  it('that is reset: what was typed gives way to what the page has given', async () => {
    const form = document.createElement('form')
    const element = await show({}, form as unknown as HTMLDivElement)
    element.setAttribute('payer-name', 'Amina Otieno')
    element.setAttribute('bank', '68')
    const value = (id: string): string => within<HTMLInputElement>(element, `#${id}`).value
    for (const id of ['name', 'phone', 'email', 'amount', 'bank']) {
      const input = within<HTMLInputElement>(element, `#${id}`)
      input.value = 'x'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => within(element, '[aria-invalid=true]'), '', slow)
    form.reset()
    await waitUntil(() => value('bank') === 'Équité Bank', '', slow)
    expect(['name', 'phone', 'email', 'amount'].map(value)).to.deep.equal(['Amina Otieno', '', '', ''])
    expect(within(element, '[aria-invalid=true]')).to.equal(null)
  })

  it('that is reset keeps a payment that may still be paid, and sends one that has ended no more', async () => {
    const form = document.createElement('form')
    let answer = view()
    const element = await show({ 'GET /v1/deposits/dep_1': () => answer }, form as unknown as HTMLDivElement)
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    form.reset()
    await element.updateComplete
    expect(within(element, '[part~=waiting]')).not.to.equal(null)
    expect(new FormData(form).get('payment')).to.equal('dep_1')
    answer = view({ phase: 'failed', status: 'FAILED', version: 3 })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part~=failure]'), '', slow)
    form.reset()
    await waitUntil(() => within(element, '[part~=pay-button]'), '', slow)
    expect(new FormData(form).get('payment')).to.equal(null)
  })
})

describe('a fieldset of the shop’s that is disabled', () => {
  const session = { ...lamp, amount: 2300 }
  function fieldset(): HTMLFieldSetElement {
    const around = document.createElement('fieldset')
    around.disabled = true
    return around
  }
  const usable = (element: HcCheckout): number =>
    element.shadowRoot!.querySelectorAll('form :is(input,select,button):not(:disabled)').length
  const creates = (): number => network!.asked.filter(({ door }) => door === 'POST /v1/deposits').length

  it('leaves no field and no button of the form that can be used, until neither it nor the element is disabled', async () => {
    const around = fieldset()
    const element = await show({}, around as unknown as HTMLDivElement)
    await waitUntil(() => within(element, '.chips button'), '', slow)
    expect(usable(element)).to.equal(0)
    within(element, 'form').dispatchEvent(new Event('submit', { cancelable: true }))
    await element.updateComplete
    expect(within(element, '[aria-invalid=true]')).to.equal(null)
    for (const [own, its, opens] of [
      [true, true, false],
      [false, true, false],
      [true, true, false],
      [true, false, false],
      [false, false, true],
      [false, true, false],
      [false, false, true],
    ] as const) {
      element.disabled = own
      around.disabled = its
      await element.updateComplete
      if (opens) expect(usable(element)).to.be.greaterThan(5)
      else expect(usable(element)).to.equal(0)
    }
  })

  it('begins no payment with a press that came before, when the session was still to come', async () => {
    let come = (): void => {}
    const waiting = new Promise<void>((resolve) => (come = resolve))
    const around = document.createElement('fieldset')
    const element = document.createElement('hc-checkout')
    element.companion = 'https://pay.example'
    element.presentation = 'tab'
    element.locale = 'en'
    element.session = 'ses_1'
    element.payerName = 'Achieng'
    around.append(element)
    network = companion({ 'GET /v1/session': () => waiting.then(() => session) })
    fixtureSync(html`${around}`)
    await waitUntil(() => network!.asked.some(({ door }) => door === 'GET /v1/session'), '', slow)
    within(element, '[part~=pay-button]').click()
    around.disabled = true
    come()
    await waitUntil(() => text(element).includes('Lamp'), '', slow)
    expect(creates()).to.equal(0)
    expect(within(element, 'form')).not.to.equal(null)
  })

  it('hides and stops no payment: it is followed to its end, and the page hears of that', async () => {
    let answer = view()
    const around = document.createElement('fieldset')
    const element = await resumed({ 'GET /v1/deposits/dep_1': () => answer }, around as unknown as HTMLDivElement)
    around.disabled = true
    element.disabled = true
    await element.updateComplete
    expect(within(element, '[part~=waiting]')).not.to.equal(null)
    const told = new Promise((resolve) => element.addEventListener('hc-success', resolve))
    answer = view({ phase: 'succeeded', status: 'SUCCESS', version: 9 })
    dispatchEvent(new Event('online'))
    await told
    await element.updateComplete
    expect(within(element, '[part~=success]')).not.to.equal(null)
  })
})

describe('a companion that is newer than the script', () => {
  it('and names a step that it does not know: nothing is said to have failed, and nobody is asked to pay again', async () => {
    const element = await resumed({ 'GET /v1/deposits/dep_1': () => view({ phase: 'settling' as never }) })
    expect(within(element, 'h2').textContent).to.equal('We are checking')
    expect(text(element)).not.to.contain('Try again')
    expect(text(element)).not.to.contain('Not paid')
  })

  it('and names an ending that it does not know: what has been paid is paid', async () => {
    const element = await resumed({
      'GET /v1/deposits/dep_1': () => view({ phase: 'credited' as never, status: 'SUCCESS' }),
    })
    expect(within(element, 'h2').textContent).to.match(/^Thank you/)
    expect(text(element)).not.to.contain('Try again')
  })
})

describe('a browser that saves data', () => {
  it('opens no stream, and asks again every fifteen seconds', async () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
    const waits: number[] = []
    window.setTimeout = ((work: () => void, ms = 0) => {
      waits.push(ms)
      return realTimeout(work, ms >= 15_000 && ms < 25_000 ? 20 : ms)
    }) as never
    let asks = 0
    await resumed({
      'GET /v1/deposits/dep_1': () => {
        asks += 1
        return view()
      },
    })
    await waitUntil(() => asks > 1, '', slow)
    expect(waits).to.include(document.hidden ? 60_000 : 15_000)
    expect(waits).not.to.include(5000)
    expect(network!.asked.filter(({ door }) => door.endsWith('/events'))).to.deep.equal([])
  })
})

describe('a proxy that lets everything but the stream through', () => {
  for (const status of [401, 404, 429, 502])
    it(`with ${status}: the payment is not forgotten, and is asked for every five seconds`, async () => {
      const waits: number[] = []
      window.setTimeout = ((work: () => void, ms = 0) => {
        waits.push(ms)
        return realTimeout(work, ms >= 500 && ms <= 5000 ? 5 : ms)
      }) as never
      const element = await resumed({
        'GET /v1/deposits/dep_1': () => view(),
        'GET /v1/deposits/dep_1/events': () => new Response('<h1>Refused</h1>', { status }),
      })
      await waitUntil(() => waits.includes(document.hidden ? 20_000 : 5000), '', slow)
      expect(within(element, '[part~=waiting]')).not.to.equal(null)
      expect(network!.asked.filter(({ door }) => door.endsWith('/events'))).to.have.length(2)
    })
})

it('a browser that refuses the channel between tabs follows the payment all the same', async () => {
  const own = window.BroadcastChannel
  try {
    // As Firefox does where it refuses storage: in a frame of another site, for example.
    window.BroadcastChannel = function refused() {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    } as never
    const element = await resumed({ 'GET /v1/deposits/dep_1': () => view({ phase: 'succeeded', status: 'SUCCESS' }) })
    expect(within(element, 'h2').textContent).to.match(/^Thank you/)
  } finally {
    window.BroadcastChannel = own
  }
})

const steps: Readonly<Record<string, Doors>> = {
  waiting: { 'GET /v1/deposits/dep_1': () => view({ bank: { code: '76', name: 'UBA Kenya Bank Ltd' } }) },
  paid: { 'GET /v1/deposits/dep_1': () => view({ phase: 'succeeded', status: 'SUCCESS' }) },
  failed: { 'GET /v1/deposits/dep_1': () => view({ phase: 'failed', status: 'FAILED' }) },
}

function narrow(direction: 'ltr' | 'rtl'): HTMLDivElement {
  const around = document.createElement('div')
  around.style.width = '288px'
  around.dir = direction
  return around
}
describe('a box of the shop’s that is as wide as what is in it', () => {
  const boxes: Readonly<Record<string, string>> = {
    'a centred column': 'display:flex;flex-direction:column;align-items:center',
    'a row': 'display:flex',
    'an inline block': 'display:inline-block',
  }
  for (const [name, style] of Object.entries(boxes))
    for (const width of [360, 900])
      it(`${name} of ${width} px gives the card the room there is, the same at every step`, async () => {
        const page = document.createElement('div')
        page.style.width = `${width}px`
        const around = document.createElement('div')
        around.style.cssText = style
        page.append(around)
        network = companion({ 'GET /v1/deposits/dep_1': () => view() })
        const element = document.createElement('hc-checkout')
        element.setAttribute('companion', 'https://pay.example')
        element.setAttribute('locale', 'en')
        around.append(element)
        fixtureSync(html`${page}`)
        await waitUntil(() => within(element, '[role=combobox]'), '', slow)
        const room = Math.min(width, 480)
        expect(within(element, '.card').getBoundingClientRect().width).to.equal(room)
        element.resume('dep_1', 'tok_1')
        await waitUntil(() => within(element, '.mark'), '', slow)
        expect(within(element, '.card').getBoundingClientRect().width).to.equal(room)
      })

  it('beside something in a row, the card leaves that its room', async () => {
    const around = narrow('ltr')
    around.style.display = 'flex'
    const other = document.createElement('div')
    other.style.cssText = 'flex:none;width:60px'
    around.append(other)
    const element = await show({}, around)
    expect(within(element, '.card').getBoundingClientRect().width).to.equal(228)
  })

  it('that is higher than the card does not stretch it', async () => {
    const around = document.createElement('div')
    const element = await show({}, around)
    const { height } = within(element, '.card').getBoundingClientRect()
    element.style.minHeight = '2000px'
    expect(within(element, '.card').getBoundingClientRect().height).to.equal(height)
  })
})

it('in a page that is written from right to left our languages are written from left to right, in a sheet too', async () => {
  const around = narrow('ltr')
  const element = await resumed({ 'GET /v1/deposits/dep_1': () => view() }, around)
  around.dir = 'rtl'
  element.style.direction = ''
  expect(getComputedStyle(within(element, 'h2')).direction).to.equal('ltr')
  within<HTMLButtonElement>(element, 'button[value=help]').click()
  await waitUntil(() => within(element, '.sheet'), '', slow)
  expect(getComputedStyle(within(element, '.sheet').shadowRoot!.querySelector('li')!).direction).to.equal('ltr')
})

describe('a shop that sets nothing but its own accent', () => {
  const grounds = { light: 'rgb(255, 255, 255)', dark: 'rgb(21, 28, 25)' }
  for (const [theme, ground] of Object.entries(grounds))
    for (const [name, accent] of [
      ['navy', 'rgb(11, 31, 77)'],
      ['yellow', 'rgb(255, 212, 0)'],
      ['orange', 'rgb(245, 124, 0)'],
      ['red', 'rgb(211, 47, 47)'],
    ] as const)
      it(`has a button that can be read, and a ring of focus that can be seen: ${name}, ${theme}`, async () => {
        const element = await show()
        element.setAttribute('theme', theme)
        element.style.setProperty('--hc-accent', accent)
        const button = within(element, '[part~=pay-button]')
        expect(contrast(getComputedStyle(button).color, accent)).to.be.at.least(4.5)
        const field = within(element, '#name')
        field.focus()
        expect(contrast(getComputedStyle(field).outlineColor, ground)).to.be.at.least(3)
      })

  for (const theme of Object.keys(grounds))
    it(`has marks and letters that can be seen, whatever it is: ${theme}`, async () => {
      const element = await resumed({ 'GET /v1/deposits/dep_1': () => view() })
      element.setAttribute('theme', theme)
      element.style.setProperty('--hc-accent', theme === 'dark' ? 'rgb(90, 20, 20)' : 'rgb(255, 212, 0)')
      const { color, backgroundColor } = getComputedStyle(within(element, '.mark'))
      expect(contrast(color, backgroundColor)).to.be.at.least(4.5)
    })

  it('and the colour on it has both', async () => {
    const element = await show()
    element.style.cssText = '--hc-accent: #f57c00; --hc-on-accent: #203040'
    expect(getComputedStyle(within(element, '[part~=pay-button]')).color).to.equal('rgb(32, 48, 64)')
  })
})

/** Between two colours, after WCAG 2. */
function contrast(one: string, other: string): number {
  const [light, dark] = [one, other].map(luminance).toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** As it is painted: a computed colour may be written in any space. */
function luminance(color: string): number {
  const paper = new OffscreenCanvas(1, 1).getContext('2d')!
  paper.fillStyle = color
  paper.fillRect(0, 0, 1, 1)
  const [red, green, blue] = Array.from(paper.getImageData(0, 0, 1, 1).data, (part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** What is wider than the card, and what a thumb would miss. */
function misfits(element: HcCheckout): string[] {
  const card = within(element, '.card').getBoundingClientRect()
  const found: string[] = []
  for (const one of element.shadowRoot!.querySelectorAll<HTMLElement>('input,select,button,a,summary,dl,h2,p,dd')) {
    const { left, right, height, width } = one.getBoundingClientRect()
    const name = `${one.localName} "${one.textContent.trim().slice(0, 20)}"`
    if (width === 0 || one.closest('.chips,.sr')) continue
    if (left < card.left || right > card.right + 0.5) found.push(`${name} is too wide`)
    if (one.matches('input,select,button,a,summary') && height < 44) found.push(`${name} is ${height} px high`)
  }
  return found
}

describe('on the narrowest phone', () => {
  for (const direction of ['ltr', 'rtl'] as const) {
    it(`the form fits, its targets are big enough, and it begins where its language does: ${direction}`, async () => {
      const element = await show({}, narrow(direction))
      await waitUntil(() => within(element, '.chips button'), '', slow)
      within(element, '#bank').focus()
      within(element, '#bank').click()
      await waitUntil(() => within(element, '[role=option]'), '', slow)
      expect(misfits(element)).to.deep.equal([])
      expect(within(element, '.chips button').getBoundingClientRect().height).to.be.at.least(44)
      const row = within(element, '[role=option]')
      const sign = within(element, '[role=option] i').getBoundingClientRect()
      const { left, right } = row.getBoundingClientRect()
      expect(direction === 'ltr' ? sign.left - left : right - sign.right).to.be.at.most(16)
      // The text has its distance from the sign, on whichever side it stands.
      const words = document.createRange()
      words.selectNodeContents(row)
      words.setStartAfter(row.querySelector('i')!)
      const at = words.getBoundingClientRect()
      expect(direction === 'ltr' ? at.left - sign.right : sign.left - at.right).to.be.at.least(8)
    })

    for (const [step, doors] of Object.entries(steps))
      it(`a payment that is ${step} fits, and its targets are big enough: ${direction}`, async () => {
        const element = await resumed(doors, narrow(direction))
        await aTimeout(20)
        expect(misfits(element)).to.deep.equal([])
      })
  }
})

describe('in a column of 240 px, in a language of long words', () => {
  /** How many lines a text takes. */
  function linesOf(place: HTMLElement): number {
    const range = document.createRange()
    range.selectNodeContents(place)
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
  }

  it('no amount is broken within its number, and what does not fit beside its name stands below it', async () => {
    const around = narrow('ltr')
    around.style.width = '240px'
    const element = await resumed({ 'GET /v1/deposits/dep_1': () => view({ amount: 12_345_678 }) }, around)
    element.setAttribute('locale', 'rw')
    await waitUntil(() => text(element).includes('Amafaranga'), '', slow)
    const all = (tag: string) => [...element.shadowRoot!.querySelectorAll<HTMLElement>(tag)]
    const edge = within(element, 'dl').getBoundingClientRect().right
    for (const row of [0, -1]) {
      const [name, value] = [all('dt').at(row)!, all('dd').at(row)!]
      expect(linesOf(value)).to.equal(1)
      expect(value.getBoundingClientRect().top).to.be.at.least(name.getBoundingClientRect().bottom - 1)
      expect(value.getBoundingClientRect().right).to.equal(edge)
    }
  })
})
