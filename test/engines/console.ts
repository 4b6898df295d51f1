// The console in one browser engine: somebody signs in, sees the list move, and opens a payment.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildConsoleIfStale } from '../../demo/console-pages.ts'
import { openSystem } from '../browser/fixture.ts'
import { consoleUsers, PASSWORD } from '../helpers/console-users.ts'
import { root } from '../helpers/run-quietly.ts'
import type { EnginePage } from './engine-page.ts'
import { until } from './hand.ts'

/** @throws when a step of it fails, in words that name the step */
export async function signInAndLook(open: (address: string) => Promise<EnginePage>): Promise<void> {
  await buildConsoleIfStale()
  const system = await openSystem({
    settings: { consoleUsers: await consoleUsers(), timeZone: 'Africa/Nairobi' },
    consolePages: pathToFileURL(join(root, 'server/dist/console/web/')),
  })
  let page: EnginePage | undefined
  const start = async (name: string): Promise<void> => {
    const answer = await fetch(`${system.companionUrl}/v1/deposits`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: system.shopUrl,
        'idempotency-key': `${crypto.randomUUID()}${crypto.randomUUID()}`,
      },
      body: JSON.stringify({ country: 'KE', currency: 'KES', amount: 2500, payer: { name, phone: '254712345678' } }),
    })
    if (answer.status !== 201) throw new Error(`No payment: ${await answer.text()}`)
  }
  try {
    await start('Achieng Otieno')
    page = await open(`${system.companionUrl}/console/`)
    const { evaluate } = page
    const shows = (selector: string, text: string): string =>
      `Array.prototype.some.call(document.querySelectorAll('${selector}'), function (one) {
        return one.textContent.indexOf('${text}') >= 0
      })`
    await until(() => evaluate(`!!document.querySelector('#password')`), 'the form of the sign-in is there')
    await evaluate(`(document.querySelector('#name').value = 'the.operator',
      document.querySelector('#password').value = '${PASSWORD}',
      document.querySelector('button[type=submit]').click(), true)`)
    await until(() => evaluate(shows('a.item', 'Achieng Otieno')), 'the list shows the payment')
    await until(() => evaluate(`!!document.querySelector('.live.on')`), 'the list is live')
    await start('Juma Mwangi')
    await until(() => evaluate(shows('a.item', 'Juma Mwangi')), 'a new payment appears by itself')
    await evaluate(`Array.prototype.forEach.call(document.querySelectorAll('a.item'), function (one) {
      if (one.textContent.indexOf('Juma Mwangi') >= 0) one.click()
    })`)
    await until(() => evaluate(shows('h1', 'Juma Mwangi')), 'the payment is open')
    await until(() => evaluate(shows('.story', 'The customer pressed')), 'its story is told')
    for (const view of ['owed', 'links', 'figures', 'books', 'health']) {
      await evaluate(`(location.hash = '#/${view}', true)`)
      const isThere = `!!document.querySelector('hc-${view} h1') && !document.querySelector('.waiting')`
      await until(() => evaluate(isThere), `the view ${view} is there`)
      const overflow = (await evaluate('document.documentElement.scrollWidth - innerWidth')) as number
      if (overflow > 0) throw new Error(`The view ${view} is ${overflow} px wider than the screen.`)
    }
    await until(() => evaluate(shows('.verdict', 'Customers can pay')), 'health is said in words')
  } finally {
    await page?.close()
    await system.close()
  }
}
