// People who are signed in to the console of a test system.
import { hashPassword } from '../../server/console/passwords.ts'
import type { Me, Problem } from '../../server/contract/index.ts'
import type { ConsoleUser } from '../../server/settings/values.ts'
import { COMPANION_URL, createTestSystem, type TestSystem, type TestSystemOptions } from './create-test-system.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'

export const PASSWORD = 'four plain words here'

let hashing: Promise<string> | undefined

/** the.viewer, the.operator and the.owner, with a hash that costs little. */
export async function consoleUsers(): Promise<readonly ConsoleUser[]> {
  const hash = await (hashing ??= hashPassword(PASSWORD, 10))
  return (['viewer', 'operator', 'owner'] as const).map((role) => ({ name: `the.${role}`, role, hash }))
}

/** A system whose console is on. */
export async function createConsoleSystem(options: TestSystemOptions = {}): Promise<TestSystem> {
  const store = options.store ?? sqliteStore({ path: ':memory:', isSearchable: true })
  return createTestSystem({ ...options, store, settings: { consoleUsers: await consoleUsers(), ...options.settings } })
}

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

export interface Asked {
  readonly headers?: Record<string, string>
  readonly json?: unknown
  readonly method?: string
  readonly address?: string
  readonly url?: string
}

/** A request of a browser, from an address. */
export async function ask<Body = Problem>(
  system: Pick<TestSystem, 'companion'>,
  path: string,
  { headers = {}, json, method, address = '198.51.100.7', url = COMPANION_URL }: Asked = {},
): Promise<Answer<Body>> {
  const answer = await system.companion.app.request(
    `${url}${path}`,
    {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    },
    { incoming: { socket: { remoteAddress: address } } },
  )
  const text = await answer.text()
  const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as Body }
}

export const signIn = (system: Pick<TestSystem, 'companion'>, name: string, password = PASSWORD, more: Asked = {}) =>
  ask<Me & Problem>(system, '/v1/console/sign-in', {
    headers: { origin: COMPANION_URL },
    json: { name, password },
    ...more,
  })

/** Headers of a signed-in browser. */
export async function signedIn(
  system: Pick<TestSystem, 'companion'>,
  role: ConsoleUser['role'],
): Promise<{ cookie: string; origin: string; 'x-hc-csrf': string }> {
  const { headers, body } = await signIn(system, `the.${role}`)
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { cookie, origin: COMPANION_URL, 'x-hc-csrf': body.csrf }
}
