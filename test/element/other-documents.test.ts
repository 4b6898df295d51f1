// A card that is moved into another document, and one that finds a shadow root of a saved page.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { expect, fixture, html, waitUntil } from '@open-wc/testing'
import type { HcCheckout } from 'hc-checkout'
import { slow, view } from './companion.ts'
import { show, within } from './shown.ts'

/** What tells a card with its styles from one without. */
const looks = (element: HcCheckout): readonly string[] => {
  const style = element.ownerDocument.defaultView!.getComputedStyle(element.renderRoot.querySelector('.card')!)
  return [style.paddingTop, style.borderRadius, style.backgroundColor, style.fontFamily]
}

async function frame(): Promise<Document> {
  const page = await fixture<HTMLIFrameElement>(
    html`<iframe title="Another document" width="900" height="600"></iframe>`,
  )
  return page.contentDocument!
}

describe('a card in another document', () => {
  it('keeps its looks when it is moved there, and when it comes back', async () => {
    const element = await show()
    await waitUntil(() => within(element, '.card'), '', slow)
    const own = looks(element)
    expect(own[0]).not.to.equal('0px')
    const home = element.parentElement!
    const other = await frame()
    other.body.append(element)
    await element.updateComplete
    expect(looks(element)).to.deep.equal(own)
    home.append(element)
    await element.updateComplete
    expect(looks(element)).to.deep.equal(own)
    // A template's document has no window.
    const template = document.createElement('template')
    template.content.append(element)
    home.append(element)
    expect(looks(element)).to.deep.equal(own)
  })

  it('has its looks where it is put there before it was ever on a page', async () => {
    const first = await show()
    await waitUntil(() => within(first, '.card'), '', slow)
    const other = await frame()
    const element = document.createElement('hc-checkout')
    element.companion = 'https://pay.example'
    other.body.append(element)
    await waitUntil(() => within(element, '.card'), '', slow)
    expect(looks(element)).to.deep.equal(looks(first))
  })

  it('opens a sheet with its looks there', async () => {
    const element = await show({ 'GET /v1/deposits/dep_1': () => view({ status: 'SUCCESS', phase: 'succeeded' }) })
    const other = await frame()
    other.body.append(element)
    element.resume('dep_1', 'tok_1')
    await waitUntil(() => within(element, 'button[value=receipt]'), '', slow)
    within(element, 'button[value=receipt]').click()
    await waitUntil(() => within(element, '.sheet'), '', slow)
    const dialog = within(element, '.sheet').shadowRoot!.querySelector('dialog')!
    expect(dialog.open).to.equal(true)
    const { padding } = other.defaultView!.getComputedStyle(dialog.querySelector('[part=receipt]')!)
    expect(padding).not.to.equal('0px')
  })
})

describe('a shadow root that is there already', () => {
  for (const mode of ['open', 'closed'])
    it(`is taken over without what it showed, ${mode}`, async () => {
      const first = await show({}, { country: 'KE' })
      await waitUntil(() => within(first, '.test'), '', slow)
      const place = await fixture<HTMLElement>(html`<div></div>`)
      place.setHTMLUnsafe(
        `<hc-checkout companion="https://pay.example" locale="en" country="KE"><template shadowrootmode="${mode}"><style>.card{display:none}</style><div class="card"><p class="sum">KSh 1</p></div></template></hc-checkout>`,
      )
      const element = place.querySelector('hc-checkout')!
      await waitUntil(() => (element.renderRoot as ParentNode | undefined)?.querySelector('.test'), '', slow)
      expect(element.renderRoot.querySelectorAll('.card').length).to.equal(1)
      expect(element.renderRoot.textContent).not.to.contain('KSh 1')
      expect(looks(element)).to.deep.equal(looks(first))
    })
})
