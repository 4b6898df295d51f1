// How a command reaches a running companion as the merchant's backend does: its address and key,
// from the options, the environment, or the file that `hc-checkout-server dev` has written.
import { existsSync } from 'node:fs'
import { createClient, type Mode } from 'hc-checkout-client'
import { meantEnvironment } from '../settings/environment.ts'
import { readMerchantKey } from '../settings/settings.ts'
import { type CommandIo, UsageError, withEnvFile } from './io.ts'

/** What `hc-checkout-server dev` writes in the present folder. */
const DEV_SETTINGS = '.hc/dev/companion.env'

export const ACCESS_OPTIONS = {
  companion: { type: 'string' },
  'env-file': { type: 'string' },
} as const

export const ACCESS_HELP = `  --companion <url>   where the companion listens (HC_PUBLIC_URL, or http://127.0.0.1:8787)
  --env-file <file>   settings as NAME=value lines, over those of the environment. Without it and without
                      HC_MERCHANT_KEY those of "hc-checkout-server dev" (${DEV_SETTINGS}), if it runs in this folder`

interface Given {
  readonly companion?: string | undefined
  readonly 'env-file'?: string | undefined
}

/** @throws UsageError */
export function accessTo(io: CommandIo, given: Given) {
  const file = fileMeant(io, given['env-file'])
  const { env } = meantEnvironment(withEnvFile(io, file))
  /** True where an option or the file of settings says which companion is meant. */
  const isNamed = [given.companion, withEnvFile({ ...io, env: {} }, file)['HC_PUBLIC_URL']].some(Boolean)
  const companion = addressOf(given, env)
  const key = readMerchantKey(env)
  if (key === undefined) throw new UsageError('Give HC_MERCHANT_KEY of that companion, or --env-file with it.')
  return { client: createClient({ url: companion, key, fetch: io.fetch }), companion, env, isNamed }
}

/** Address of the companion, without a trailing slash. @throws UsageError */
export function addressOf({ companion }: Given, env: CommandIo['env']): string {
  const address = (companion ?? env['HC_PUBLIC_URL'] ?? 'http://127.0.0.1:8787').replace(/\/+$/, '')
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new UsageError('--companion must be an address such as http://127.0.0.1:8787.')
  return address
}

type Access = ReturnType<typeof accessTo>

/**
 * What a command acts on: payments with real money only where the call itself names their
 * companion. A shell may be set up for it, and its user may mean the one on this machine.
 *
 * @returns whether real money is concerned
 * @throws UsageError
 */
export function isLive({ companion, isNamed }: Access, mode: Mode): boolean {
  if (mode === 'test') return false
  if (isNamed) return true
  throw new UsageError(
    `${companion} takes real payments, and only the environment of this shell names it: nothing was done. ` +
      `If you mean it, say --companion ${companion}.`,
  )
}

/** @throws UsageError */
export function environmentOf(io: CommandIo, file: string | undefined): CommandIo['env'] {
  return meantEnvironment(withEnvFile(io, fileMeant(io, file))).env
}

function fileMeant(io: CommandIo, given: string | undefined): string | undefined {
  const hasKey = [io.env['HC_MERCHANT_KEY'], io.env['HC_MERCHANT_KEY_FILE']].some(Boolean)
  return given ?? (!hasKey && existsSync(DEV_SETTINGS) ? DEV_SETTINGS : undefined)
}
