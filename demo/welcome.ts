// What `npm start` prints once all servers listen: what to open, and what to click.
import { CONSOLE_USER, type LocalSetup } from './local-setup.ts'

interface Said {
  /** Whether other machines of the network reach it. */
  readonly lan: boolean
  /** Where state and keys are. */
  readonly directory: string
}

export function welcome({ keys }: Pick<LocalSetup, 'keys'>, { lan, directory }: Said): string {
  return `
  Demo shop   ${keys.shopUrl}   open this: choose a country, buy something
  Docs        ${keys.shopUrl}/docs/   guides and reference; built in the background after the first start
  Console     ${keys.companionUrl}/console   what the shop's people see: user ${CONSOLE_USER.name}, password ${CONSOLE_USER.password}
  Sandbox     ${keys.sandboxUrl}/console   the payment service, played here: see every payment, confirm or decline it

  The companion is an API at ${keys.companionUrl}: pages and backends call it, and there is no page at that address.
  What it answers is described at ${keys.shopUrl}/docs/api.html.

  Click next: buy a lamp in the shop, pay on the page that opens, watch the shop's tab. The agent confirms after a few seconds.
  No real money moves. State and generated keys are in ${directory}; Ctrl-C stops, the next start goes on from there.${
    lan ? '\n  On your phone, in the same network, open the shop address above.' : ''
  }
`
}
