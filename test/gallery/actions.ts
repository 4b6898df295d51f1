// What the page of a card does by itself until the card shows its state. Plain script, as the page
// runs it: `state` is one of states.ts, with the order and the companion's address.
export const actions = `
window.open = () => null
const element = document.querySelector('hc-checkout')
const find = (selector) => element.shadowRoot?.querySelector(selector)
async function until(is) {
  for (;;) {
    const found = is()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}
const shown = (selector) => until(() => find(selector))
const settled = () => new Promise((resolve) => setTimeout(resolve, 400))
function type(id, value) {
  const field = find('#' + id)
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
const acts = {
  async faults() {
    type('amount', '5')
    type('email', 'nobody@')
    find('[part~=pay-button]').click()
  },
  async banks() {
    // The list comes with the first use of its field. A page beside others has no focus to give.
    type('bank', 'ba')
    await shown('[role=combobox]')
    await until(() => {
      if (!find('[role=option]')) type('bank', 'ba')
      return find('[role=option]')
    })
  },
  async unfold() {
    for (const row of element.shadowRoot.querySelectorAll('.folds details')) row.open = true
  },
  async pay() {
    type('name', 'Achieng Otieno')
    if (find('#amount')) type('amount', '2500')
    await element.updateComplete
    find('[part~=pay-button]').click()
    await until(() => find('.stack') || find('[role=alert]'))
    await settled()
  },
  async open() {
    const link = await shown('[part~=open-link]')
    link.addEventListener('click', (event) => event.preventDefault())
    link.click()
  },
  async stuck() {
    ;(await shown('.stack details')).open = true
  },
  async check() {
    await shown('.stack')
    await settled()
    void element.check()
    await settled()
  },
  async 'give up'() {
    await shown('.stack')
    void element.reset()
    await shown('[part~=question]')
  },
  help: () => sheet('help'),
  share: () => sheet('share'),
  receipt: () => sheet('receipt'),
}
async function sheet(name) {
  ;(await shown('button[value=' + name + ']')).click()
  const inside = await shown('.sheet')
  for (const moving of inside.shadowRoot.querySelector('dialog').getAnimations()) moving.finish()
}
async function play() {
  const id = 'dep_' + state.order
  const key = 'hc-checkout:' + state.base + ':' + state.order
  if (state.found) localStorage.setItem(key, JSON.stringify({ id, token: 't', createdAt: new Date().toISOString() }))
  else localStorage.removeItem(key)
  await customElements.whenDefined('hc-checkout')
  await until(() => find('.stack, form, h2, .card'))
  const isRefused = Object.keys(state.refused ?? {}).some((door) => door.startsWith('GET'))
  if (!isRefused) await shown('.test')
  const isHere = (state.acts ?? []).includes('pay')
  if (state.view && !state.found && !isHere) element.resume(id, 't')
  if (state.view && !isHere) await shown('.mark')
  if (!state.view && !isRefused) await until(() => find('.names').textContent)
  for (const act of state.acts ?? []) await acts[act]()
  await settled()
  await settled()
  scrollTo(0, 0)
  document.documentElement.dataset.ready = 'yes'
}
void play()
`
