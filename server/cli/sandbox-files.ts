// The files that `hc-checkout-server sandbox` keeps beside its database: the keys of its merchant,
// and the settings of a companion that pays there.
import { randomBytes, randomInt } from 'node:crypto'
import { CURRENCIES, type MerchantSeed } from 'hc-checkout-sandbox'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { codeOf } from '../platform/error-code.ts'
import { makeFolder } from '../platform/make-folder.ts'
import { DatabaseInUse, openExclusive } from '../store/sqlite/file.ts'
import { UsageError } from './io.ts'
import { makeKeys } from './keygen.ts'

/** How a command calls its options, for what a fault says. */
export interface OptionNames {
  readonly port: string
  /** The option that names the folder. */
  readonly folder: '--database' | '--directory'
  /** What a second sandbox beside the first one needs. */
  readonly forSecond: string
}

/** @param database path of the sandbox's database; the files are in its folder */
export function sandboxFiles(database: string, options: OptionNames) {
  const folder = dirname(resolve(database))
  return {
    options,
    merchant: join(folder, 'sandbox-merchant.json'),
    privateKey: join(folder, 'sandbox-private-key.pem'),
    companion: join(folder, 'sandbox-companion.env'),
    /** Empty; locked by the sandbox that runs in the folder. */
    lock: join(folder, 'sandbox.lock'),
  }
}

export type SandboxFiles = ReturnType<typeof sandboxFiles>

/**
 * Keeps the folder until this process ends, however it ends. A second sandbox would play the
 * payments of the first, and write its own address into the settings of the first one's companion.
 *
 * @returns what gives it back
 * @throws UsageError when another sandbox has it, or the file cannot be written
 */
export function holdFolder(files: SandboxFiles): () => void {
  const { lock, options } = files
  write(files, lock, '')
  try {
    const held = openExclusive(lock)
    return () => void held.close()
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    throw new UsageError(
      `${options.folder}: a sandbox runs already in ${dirname(lock)}. For a second one choose ${options.forSecond}.`,
    )
  }
}

/**
 * The merchant's keys: read from the file, or generated and written to it at the first start,
 * readable only by the owner.
 *
 * @throws UsageError when the file is not the JSON that was written, or a file cannot be read or
 * written.
 */
export function openMerchant(files: SandboxFiles): MerchantSeed {
  if (existsSync(files.merchant)) return readMerchant(files.merchant)
  const { seed, privateKey } = makeMerchant()
  write(files, files.privateKey, privateKey)
  const content = { ...seed, privateKeyFile: files.privateKey }
  write(files, files.merchant, `${JSON.stringify(content, null, 2)}\n`)
  return seed
}

/** For the owner's eyes alone. @throws UsageError */
function write({ options }: SandboxFiles, file: string, text: string): void {
  writePrivately(file, text, options.folder)
}

/** For the owner's eyes alone. @param option names the folder. @throws UsageError */
export function writePrivately(file: string, text: string, option: OptionNames['folder']): void {
  try {
    makeFolder(dirname(file), 0o700)
    writeFileSync(file, text, { mode: 0o600 })
  } catch (error) {
    const what = option === '--database' ? 'a database in a folder' : 'a folder'
    throw new UsageError(
      `${option}: ${file} cannot be written (${codeOf(error) || 'unwritable'}). Name ${what} that you may write to.`,
    )
  }
}

/**
 * Writes the merchant with the consumer key and secret that are valid now: a rotation in the
 * console made others, and the file would lead to a refused login.
 *
 * @throws UsageError when it cannot be written
 */
export function replaceMerchant(files: SandboxFiles, seed: MerchantSeed): void {
  // Renamed into its place: half a file would be no merchant at the next start.
  write(files, `${files.merchant}.new`, `${JSON.stringify(seed, null, 2)}\n`)
  renameSync(`${files.merchant}.new`, files.merchant)
}

function readMerchant(file: string): MerchantSeed {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--database: ${file} cannot be read (${codeOf(error) || 'unreadable'}).`)
  }
  try {
    return JSON.parse(text) as MerchantSeed
  } catch {
    throw new UsageError(`${file} is not JSON. Repair it, or delete it: then another merchant is made.`)
  }
}

export function makeMerchant(): { seed: MerchantSeed; privateKey: string } {
  const { publicKey, privateKey } = makeKeys()
  const wallet = randomInt(1_000_000, 9_999_999)
  const seed: MerchantSeed = {
    businessId: `BIZ-${randomInt(10_000_000, 99_999_999)}`,
    consumerKey: `ck_test_${randomBytes(12).toString('base64url')}`,
    consumerSecret: `cs_test_${randomBytes(24).toString('base64url')}`,
    publicKey,
    wallets: Object.fromEntries(
      CURRENCIES.map((currency, index) => [currency, `${wallet}${String(index).padStart(3, '0')}`]),
    ),
    name: 'My shop',
  }
  return { seed, privateKey }
}

/**
 * Writes the service-side settings of a companion that pays here. Rewritten at each start, because
 * the address may change.
 *
 * @param addresses `serviceUrl`: what the companion calls; `publicUrl`: what customers' browsers
 * open
 * @throws UsageError when they cannot be written
 */
export function writeCompanionSettings(
  files: SandboxFiles,
  seed: MerchantSeed,
  addresses: { readonly serviceUrl: string; readonly publicUrl: string },
): void {
  const settings: Readonly<Record<string, string>> = {
    HC_AUTH_URL: addresses.serviceUrl,
    HC_BASE_URL: addresses.serviceUrl,
    HC_CHECKOUT_ORIGINS: addresses.publicUrl,
    HC_CONSUMER_KEY: seed.consumerKey,
    HC_CONSUMER_SECRET: seed.consumerSecret,
    HC_BUSINESS_ID: seed.businessId,
    HC_PRIVATE_KEY_FILE: files.privateKey,
    HC_WALLETS: Object.entries(seed.wallets)
      .map((wallet) => wallet.join(':'))
      .join(),
  }
  write(files, files.companion, envLines(settings).join(''))
}

/**
 * The lines of an env file, each with its line break. A value is quoted where it has to be: `#`
 * begins a comment.
 *
 * @throws UsageError for a value that no quotes hold
 */
export function envLines(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).map(([name, value]) => {
    const isPlain = /^[\w.:/@,+=~-]*$/.test(value)
    const quoted = ["'", '`', '"'].map((quote) => `${quote}${value}${quote}`)
    // A quote that begins it and does not end in it would end in another line.
    const bare = /^["'`]/.test(value) ? [] : [value]
    const ways = isPlain ? bare : [...quoted, ...bare]
    const line = ways.map((way) => `${name}=${way}\n`).find((one) => parseEnv(one)[name] === value)
    if (line === undefined) throw new UsageError(`${name} cannot be written to a file: no quotes hold its value.`)
    return line
  })
}
