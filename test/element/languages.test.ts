// The languages that are loaded on demand: the form is in English until they are loaded, then every
// step and sheet uses them.
import { expect, fixture, html, waitUntil } from '@open-wc/testing'
import { am, fr, ha, rn, rw, so, sw } from '../../widget/locales/index.ts'
import { languages as loaders } from '../../widget/locales/languages.ts'
import { slow, view } from './companion.ts'
import { show, text, type, within } from './shown.ts'

const languages = { am, fr, ha, rn, rw, so, sw }

async function paying(locale: string): Promise<Awaited<ReturnType<typeof show>>> {
  const element = await show({ 'GET /v1/deposits/dep_1': () => view() }, { locale })
  element.resume('dep_1', 'tok_1')
  await waitUntil(() => within(element, '[part~=waiting]'), 'the payment is shown', slow)
  return element
}

for (const [locale, words] of Object.entries(languages))
  describe(`in ${locale}`, () => {
    it('the form can be used before its words have come, and then says them', async () => {
      const element = await show({}, { locale })
      expect(text(element)).to.contain('Full name')
      type(element, 'name', 'Achieng Otieno')
      await waitUntil(() => text(element).includes(words.name), 'the words are there', slow)
      expect(text(element)).not.to.contain('Full name')
      await expect(within<HTMLInputElement>(element, '#name').value).to.equal('Achieng Otieno')
      await expect(element).to.be.accessible()
    })

    it('a payment is waited for, and its sheets are read', async () => {
      const element = await paying(locale)
      expect(text(element)).to.contain(words.handedText.replaceAll('\u00A0', ' '))
      expect(text(element)).not.to.match(/\b(AM|PM)\b/)
      for (const [value, sentence] of [
        ['help', words.helpPin],
        ['share', words.shareText],
      ] as const) {
        within<HTMLButtonElement>(element, `button[value=${value}]`).click()
        await waitUntil(() => within(element, '.sheet'), 'the sheet is open', slow)
        const root = within(element, '.sheet').shadowRoot!
        expect(root.textContent).to.contain(sentence)
        root.querySelector<HTMLButtonElement>('.close')!.click()
      }
    })

    it('what seldom has to be said is said too', async () => {
      const element = await show(
        {
          'GET /v1/deposits/dep_1': () =>
            view({ phase: 'failed', status: 'FAILED', result: { code: '1', description: '' } }),
        },
        { locale },
      )
      element.resume('dep_1', 'tok_1')
      await waitUntil(() => text(element).includes(words.failedFunds), 'the cause is told', slow)
    })
  })

it('times are of twenty-four hours where twelve are counted from sunrise', async () => {
  const at = new Date(2030, 0, 1, 15, 17).toISOString()
  const element = await show({ 'GET /v1/deposits/dep_1': () => view({ expiresAt: at }) }, { locale: 'am' })
  element.resume('dep_1', 'tok_1')
  await waitUntil(() => text(element).includes('15:17'), 'the time is told', slow)
})

for (const locale of ['ha', 'rn', 'rw', 'so'])
  it(`the day of a payment is in numbers in ${locale}, for which this browser has no months`, async () => {
    const settledAt = new Date(2030, 0, 23, 14, 25).toISOString()
    const paid = view({ phase: 'succeeded', status: 'SUCCESS', settledAt })
    const element = await show({ 'GET /v1/deposits/dep_1': () => paid }, { locale })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => text(element).includes('23/01/2030, 14:25'), 'its day is told', slow)
  })

for (const [named, day] of [
  ['en-US@posix', '1 Jan 2030, 14:25'],
  ['fr_FR', '1 janv. 2030, 14:25'],
] as const)
  it(`a payment is shown where the language is named so that no browser can read it: ${named}`, async () => {
    const settledAt = new Date(2030, 0, 1, 14, 25).toISOString()
    const paid = view({ phase: 'succeeded', status: 'SUCCESS', settledAt })
    const element = await show({ 'GET /v1/deposits/dep_1': () => paid }, { locale: named })
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => text(element).includes(day), 'its day is told', slow)
  })

describe('a language that no native reader has looked at', () => {
  const page = document.documentElement
  const { lang } = page
  const own = Object.getOwnPropertyDescriptor(navigator, 'language')
  const speak = (language: string): unknown =>
    Object.defineProperty(navigator, 'language', { configurable: true, value: language })
  afterEach(() => {
    page.lang = lang
    if (own) Object.defineProperty(navigator, 'language', own)
    else Reflect.deleteProperty(navigator, 'language')
  })

  for (const [named, browser, word] of [
    ['', 'am-ET', 'Full name'],
    ['', 'sw-KE', 'Jina kamili'],
    ['am', 'en', am.name],
  ] as const)
    it(`is spoken where the page names it: page "${named}", browser ${browser}`, async () => {
      page.lang = named
      speak(browser)
      const element = await show({}, { locale: '' })
      await waitUntil(() => within(element, '[role=combobox]'), 'the words have come', slow)
      expect(text(element)).to.contain(word)
    })
})

it('without network a sheet stays closed, and opens once its words have come', async () => {
  const element = await paying('so')
  const { _checkout: checkout } = element
  const { flow } = checkout
  checkout.flow = { ...flow!, loadRare: () => Promise.reject(new Error('No network.')) }
  const button = within<HTMLButtonElement>(element, 'button[value=help]')
  button.click()
  await waitUntil(() => !button.hasAttribute('aria-busy'), 'the click has been answered', slow)
  void expect(element.shadowRoot!.querySelectorAll('.sheet').length).to.equal(0)
  checkout.flow = flow
  button.click()
  await waitUntil(() => within(element, '.sheet'), 'the sheet is open', slow)
  expect(within(element, '.sheet').shadowRoot!.textContent).to.contain(so.helpPin.slice(0, 20))
})

it('the card names the language of the words that it shows', async () => {
  const loadersByName = loaders as Record<string, (typeof loaders)[string]>
  let come = (): void => {}
  const held = new Promise<void>((resolve) => (come = resolve))
  // A name that no other test has loaded.
  loadersByName['xc'] = () => held.then(loaders['fr'])
  try {
    const element = await show({}, { locale: 'xc' })
    const card = within(element, '[part=card]')
    await expect(card.lang).to.equal('en-GB')
    come()
    await waitUntil(() => text(element).includes(fr.name), 'the words are there', slow)
    await expect(card.lang).to.equal('xc')
  } finally {
    delete loadersByName['xc']
  }
})

it('a press before the words have come is kept, and opens the payment page once they are there', async () => {
  const loadersByName = loaders as Record<string, (typeof loaders)[string]>
  let come = (): void => {}
  const held = new Promise<void>((resolve) => (come = resolve))
  loadersByName['xd'] = () => held.then(loaders['fr'])
  const { open } = window
  try {
    let creates = 0
    const doors = { 'POST /v1/deposits': () => new Promise(() => void creates++) }
    const element = await show(doors, { amount: '2500', locale: 'xd' })
    const frame = await fixture<HTMLIFrameElement>(html`<iframe title="the tab"></iframe>`)
    window.open = () => frame.contentWindow
    type(element, 'name', 'Achieng Otieno')
    within(element, '[part~=pay-button]').click()
    await waitUntil(() => text(element).includes('Preparing your payment'), 'the press is answered', slow)
    await expect(creates).to.equal(0)
    come()
    await waitUntil(() => frame.contentDocument!.body.textContent.includes(fr.openingTab), 'the tab opens', slow)
    await waitUntil(() => creates === 1, 'the payment is asked for', slow)
  } finally {
    window.open = open
    delete loadersByName['xd']
  }
})

it('the language that is chosen last is shown, whichever words come last', async () => {
  const loadersByName = loaders as Record<string, (typeof loaders)[string]>
  let come = (): void => {}
  const held = new Promise<void>((resolve) => (come = resolve))
  // Names that no other test has loaded.
  let isAsked = false
  loadersByName['xa'] = () => {
    isAsked = true
    return held.then(loaders['sw'])
  }
  loadersByName['xb'] = loaders['fr']!
  try {
    const element = await show({}, { locale: 'xa' })
    await waitUntil(() => isAsked, 'the first language is asked for', slow)
    element.locale = 'xb'
    await waitUntil(() => text(element).includes(fr.name), 'the second language is shown', slow)
    come()
    await held
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(text(element)).to.contain(fr.name)
  } finally {
    delete loadersByName['xa']
    delete loadersByName['xb']
  }
})
