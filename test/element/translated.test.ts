// A page translator puts each text of the card into a <font> of its own. Whatever comes later is
// shown all the same.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { expect, waitUntil } from '@open-wc/testing'
import type { HcCheckout } from 'hc-checkout'
import type { DepositView } from '../../server/contract/index.ts'
import { created, later, problem, slow, view } from './companion.ts'
import { show, type, useBanks, within } from './shown.ts'

/** Marks what a translator has translated. */
const strange = /[«»]/g

/** All shadow roots of the card: its own, and that of an open sheet. */
function rootsOf(element: HcCheckout): readonly ShadowRoot[] {
  const own = element.shadowRoot!
  return [own, ...[...own.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot] : []))]
}

/**
 * Puts every text node, spaces too, into a <font>, and translates it unless it is marked as not to
 * be translated.
 */
function translate(element: HcCheckout): void {
  for (const root of rootsOf(element)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const nodes: Text[] = []
    while (walker.nextNode()) nodes.push(walker.currentNode as Text)
    for (const node of nodes) {
      const font = document.createElement('font')
      const isFixed = !node.data.trim() || node.parentElement?.closest('[translate=no],style')
      font.textContent = isFixed ? node.data : `«${node.data}»`
      node.replaceWith(font)
    }
  }
}

/** Every text of the card, one a line, in the order of its elements. */
function textsOf(element: HcCheckout): string {
  return rootsOf(element)
    .flatMap((root) => [
      ...root.querySelectorAll('h2,h3,p,a,button,label,option,dt,dd,li,legend,summary,.money span,[role=status]'),
    ])
    .map(
      ({ localName, textContent }) => `${localName}: ${textContent.replace(strange, '').replace(/\s+/g, ' ').trim()}`,
    )
    .join('\n')
}

const choose = (element: HcCheckout, country: string): void => {
  const select = within<HTMLSelectElement>(element, '#country')
  select.value = country
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

async function speak(element: HcCheckout, locale: string, name: string): Promise<void> {
  element.locale = locale
  await waitUntil(() => within(element, 'label[for=name]').textContent.includes(name), '', slow)
}

/**
 * Texts in the places of templates, where Lit keeps the node itself: none survives a translator.
 */
function keptTexts(element: HcCheckout): readonly string[] {
  return rootsOf(element).flatMap((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    while (walker.nextNode())
      if (walker.currentNode.previousSibling instanceof Comment) texts.push((walker.currentNode as Text).data)
    return texts
  })
}

type Step = (element: HcCheckout) => unknown

/** A payment from the form to one of its ends; each step is one more state of the card. */
function journey(ends: readonly Partial<DepositView>[], attributes: Record<string, string>) {
  const answer = later(() => created({ amount: 5000, currency: 'XOF', country: 'SN' }))
  let now = view({ amount: 5000, currency: 'XOF', country: 'SN' })
  let create: () => unknown = () => problem(422, 'limit')
  const doors = {
    'POST /v1/deposits': () => create(),
    'GET /v1/deposits/dep_1': () => now,
    'POST /v1/deposits/dep_1/check': () => now,
  }
  const steps: Record<string, Step> = {
    'another country': (element) => {
      if (within(element, '#country')) choose(element, 'SN')
    },
    'a press with nothing filled in': (element) => within(element, '[part~=pay-button]').click(),
    'another amount': (element) => {
      if (attributes['amount']) element.amount = 5000
      else type(element, 'amount', '5000')
    },
    'an odd phone': (element) => type(element, 'phone', '12'),
    'a refusal': async (element) => {
      type(element, 'name', 'Achieng Otieno')
      within(element, '[part~=pay-button]').click()
      await waitUntil(() => within(element, '[part=form] [role=alert]'), '', slow)
    },
    'a bank of no list': (element) => type(element, 'bank', 'Chama yetu'),
    'another language': (element) => speak(element, 'sw', 'Jina kamili'),
    'and back': (element) => speak(element, 'en', 'Full name'),
    'a firewall': async (element) => {
      create = () => new Response('<h1>403 Forbidden</h1>', { status: 403 })
      within(element, '[part~=pay-button]').click()
      await waitUntil(() => !within(element, '[part~=pay-button]') && within(element, 'button.main'), '', slow)
    },
    submitting: (element) => {
      create = () => answer.answer()
      within(element, 'button.main').click()
    },
    open: async (element) => {
      answer.come()
      await waitUntil(() => within(element, '[part~=open-link]'), '', slow)
    },
    opened: (element) => {
      const link = within(element, '[part~=open-link]')
      link.addEventListener('click', (event) => event.preventDefault())
      link.click()
    },
    help: async (element) => {
      within(element, 'button[value=help]').click()
      await waitUntil(() => within(element, '.sheet'), '', slow)
    },
    'an operator': (element) => {
      within(element, '.sheet').shadowRoot!.querySelector<HTMLInputElement>('input[type=radio]')?.click()
    },
    'help closed': (element) => within(element, '.sheet').shadowRoot!.querySelector<HTMLElement>('.close')!.click(),
    'the question whether to forget it': async (element) => {
      void element.reset()
      await waitUntil(() => within(element, '[part~=question]'), '', slow)
    },
    'and no': async (element) => {
      within(element, '[part~=question] .main').click()
      await waitUntil(() => within(element, '[part~=waiting]'), '', slow)
    },
  }
  for (const [index, end] of ends.entries())
    steps[`${index}: ${end.phase}`] = async (element) => {
      now = { ...now, ...end, version: now.version + 1 }
      await element.check()
    }
  if (ends.at(-1)!.status === 'SUCCESS')
    steps['the receipt'] = async (element) => {
      within(element, 'button[value=receipt]').click()
      await waitUntil(() => within(element, '.sheet'), '', slow)
    }
  return { doors, steps }
}

/** What the card says after each step. */
async function told(ends: readonly Partial<DepositView>[], attributes: Record<string, string>, isTranslated: boolean) {
  const { doors, steps } = journey(ends, attributes)
  const element = await show(doors, attributes)
  await useBanks(element)
  await waitUntil(() => within(element, '.test'), '', slow)
  const states: Record<string, string> = {}
  for (const [name, step] of Object.entries(steps)) {
    if (isTranslated) translate(element)
    await step(element)
    await settled(element)
    states[name] = textsOf(element)
    expect(keptTexts(element), name).to.deep.equal([])
  }
  element.remove()
  // The next card is another customer's.
  localStorage.clear()
  history.replaceState(null, '')
  return states
}

/** Until the card says the same twice: texts of another language, or rare ones, may still come. */
async function settled(element: HcCheckout): Promise<void> {
  let last = ''
  await waitUntil(
    () => {
      const now = textsOf(element)
      const isSame = now === last
      last = now
      return isSame
    },
    '',
    { ...slow, interval: 60 },
  )
}

const endings: Record<string, readonly Partial<DepositView>[]> = {
  paid: [
    { overdue: true, phase: 'open' },
    { phase: 'confirming' },
    { phase: 'succeeded', status: 'SUCCESS', settledAt: '2030-01-01T11:20:00Z', amount: 75_000 },
  ],
  failed: [{ phase: 'confirming' }, { phase: 'failed', status: 'FAILED', result: { code: '1037', description: '' } }],
  expired: [{ phase: 'confirming' }, { phase: 'expired', status: 'FAILED' }],
  'given up, then paid': [
    { phase: 'abandoned' },
    { phase: 'succeeded', status: 'SUCCESS', late: true, settledAt: '2030-01-01T11:20:00Z' },
  ],
  'with a person': [
    { phase: 'review' },
    { phase: 'succeeded', status: 'SUCCESS', late: true, settledAt: '2030-01-01T11:20:00Z' },
  ],
}

describe('a card whose texts another program has replaced', () => {
  for (const [name, ends] of Object.entries(endings))
    for (const [how, attributes] of Object.entries({
      'an amount that is asked': { 'data-country': 'KE' },
      'an amount of the page': { country: 'SN', amount: '2500' },
    } as Record<string, Record<string, string>>))
      it(`shows each later state, ${name}, with ${how}`, async () => {
        const plain = await told(ends, attributes, false)
        const translated = await told(ends, attributes, true)
        expect(Object.keys(translated)).to.deep.equal(Object.keys(plain))
        for (const step of Object.keys(plain)) expect(translated[step], step).to.equal(plain[step])
        // What is compared is what the customer must read.
        expect(plain['another country']).to.contain('span: F CFA')
        if (attributes['amount']) expect(plain['another amount']).to.contain('button: Pay F CFA 5,000')
        expect(plain['a firewall']).to.contain('p: Something on the way to the shop refuses this request')
        expect(plain['the question whether to forget it']).to.contain('h2: Forget this payment?')
        expect(plain['open']).to.contain('dd: F CFA 5,000')
      })

  it('has its money right at each step, though it was made another sum', async () => {
    const element = await show(
      { 'GET /v1/deposits/dep_1': () => now, 'POST /v1/deposits/dep_1/check': () => now },
      { country: 'KE', amount: '2500' },
    )
    let now = view()
    await waitUntil(() => within(element, '.test'), '', slow)
    const sums = (): readonly string[] =>
      [...element.shadowRoot!.querySelectorAll('.sum,dd,.money span,[part~=pay-button] span')].map(
        ({ textContent }) => textContent,
      )
    const steps: Record<string, Step> = {
      'a name': () => type(element, 'name', 'Achieng'),
      open: async () => {
        element.resume('dep_1', 'tok_1')
        await waitUntil(() => within(element, 'dd'), '', slow)
      },
      confirming: async () => {
        now = view({ phase: 'confirming', version: 3 })
        await element.check()
      },
      paid: async () => {
        now = view({ phase: 'succeeded', status: 'SUCCESS', version: 4 })
        await element.check()
      },
      'drawn again': async () => {
        element.requestUpdate()
        await element.updateComplete
      },
    }
    for (const [name, step] of Object.entries(steps)) {
      for (const money of element.shadowRoot!.querySelectorAll('[translate=no]'))
        if (money.localName !== 'input') money.innerHTML = '<font>KSh 1</font>'
      await step(element)
      await settled(element)
      expect(sums().join(), name).to.contain('KSh 2,500')
      expect(sums(), name).not.to.contain('KSh 1')
    }
  })

  it('has its money, and references, marked as not to be translated', async () => {
    const element = await show(
      { 'GET /v1/deposits/dep_1': () => view({ status: 'SUCCESS', phase: 'succeeded' }) },
      { country: 'KE', amount: '2500' },
    )
    await waitUntil(() => within(element, '.test'), '', slow)
    /** The texts in which money may be translated. */
    const loose = (): readonly string[] =>
      rootsOf(element).flatMap((root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        const texts: string[] = []
        while (walker.nextNode()) {
          const node = walker.currentNode as Text
          if (/KES|KSh|2,500|HCT0/.test(node.data) && !node.parentElement!.closest('[translate=no]'))
            texts.push(node.data)
        }
        return texts
      })
    expect(within(element, '[part~=pay-button]').textContent).to.contain('KSh')
    expect(loose()).to.deep.equal([])
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, '[part=success]'), '', slow)
    expect(loose()).to.deep.equal([])
    within(element, 'button[value=receipt]').click()
    await waitUntil(() => within(element, '.sheet'), '', slow)
    expect(loose()).to.deep.equal([])
  })
})
