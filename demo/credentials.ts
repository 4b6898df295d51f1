// Keys and credentials of the local setup: generated on the first start and then kept in `.hc/`.
import { generateKeyPairSync, createPublicKey, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CurrencyCode } from 'hc-checkout-server/contract'

/** The content of `.hc/credentials.json`: what a developer needs to use the local servers. */
export interface Credentials {
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly businessId: string
  /** Absolute path of the RSA private key in PEM, readable by its owner only. */
  readonly privateKeyFile: string
  readonly merchantKey: string
  readonly notifySecret: string
  /** Wallet number by currency. */
  readonly wallets: Readonly<Record<string, string>>
  readonly companionUrl: string
  readonly sandboxUrl: string
  readonly shopUrl: string
}

export interface Addresses {
  readonly companionUrl: string
  readonly sandboxUrl: string
  readonly shopUrl: string
}

/**
 * The credentials and what never leaves the machine: both keys of the pair, and the installation
 * secret.
 */
export interface Keys extends Credentials {
  readonly privateKey: string
  readonly publicKey: string
  readonly secret: string
}

/** The credentials file exists but cannot be used, or its folder cannot. */
class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}

/**
 * Reads the credentials in `directory`, or creates them.
 *
 * @throws CredentialsError, which names the file, if it is invalid: a new key would lose the
 *   existing payments, so nothing is ever replaced silently. Also if the folder is none that this
 *   user can read and write.
 */
export function openCredentials(directory: string, addresses: Addresses): Keys {
  try {
    return readOrMake(directory, addresses)
  } catch (error) {
    const { code, syscall, path = directory } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new CredentialsError(
      `${path} cannot be read or written (${code}). Keys and databases need a folder that is yours: HC_DIRECTORY names another than ${directory}.`,
    )
  }
}

function readOrMake(directory: string, addresses: Addresses): Keys {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, 'credentials.json')
  const privateKeyFile = join(directory, 'private-key.pem')
  const secretFile = join(directory, 'secret')
  if (!existsSync(privateKeyFile)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writePrivately(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  }
  if (!existsSync(secretFile)) writePrivately(secretFile, `${randomBytes(32).toString('base64url')}\n`)

  const kept = existsSync(file) ? readCredentials(file) : newCredentials()
  const credentials: Credentials = { ...kept, privateKeyFile, ...addresses }
  writeCredentials(directory, credentials)

  const privateKey = readFileSync(privateKeyFile, 'utf8')
  return {
    ...credentials,
    privateKey,
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
    secret: readFileSync(secretFile, 'utf8').trim(),
  }
}

/**
 * The keys with a consumer key and secret that have been rotated since, written to the file as
 * well.
 */
export function keepPresentKeys(
  directory: string,
  keys: Keys,
  present: Partial<Pick<Credentials, 'consumerKey' | 'consumerSecret'>>,
): Keys {
  const now = { ...keys, ...present }
  const { privateKey: _, publicKey: __, secret: ___, ...credentials } = now
  writeCredentials(directory, credentials)
  return now
}

function writeCredentials(directory: string, credentials: Credentials): void {
  writePrivately(join(directory, 'credentials.json'), `${JSON.stringify(credentials, null, 2)}\n`)
}

type Kept = Omit<Credentials, 'privateKeyFile' | keyof Addresses>

function newCredentials(): Kept {
  return {
    // "sandbox" in the key makes the mode `test` wherever the key is used.
    consumerKey: `sandbox_${randomBytes(12).toString('hex')}`,
    consumerSecret: randomBytes(24).toString('base64url'),
    businessId: `HCB${randomBytes(5).toString('hex').toUpperCase()}`,
    merchantKey: `hcm_${randomBytes(24).toString('base64url')}`,
    notifySecret: `whsec_${randomBytes(32).toString('base64')}`,
    wallets: Object.fromEntries(
      CurrencyCode.options.map((currency, index) => [currency, String(5_204_000_100 + index)]),
    ),
  }
}

function readCredentials(file: string): Kept {
  const text = readFileSync(file, 'utf8')
  let read: Partial<Credentials>
  try {
    read = JSON.parse(text) as Partial<Credentials>
  } catch {
    throw new CredentialsError(
      `${file} is not readable as JSON. Mend it, or delete the whole folder to start with new keys and no payments.`,
    )
  }
  const { consumerKey, consumerSecret, businessId, merchantKey, notifySecret, wallets } = read
  if (!consumerKey || !consumerSecret || !businessId || !merchantKey || !notifySecret || !wallets) {
    throw new CredentialsError(
      `${file} lacks an entry. Mend it, or delete the whole folder to start with new keys and no payments.`,
    )
  }
  return { consumerKey, consumerSecret, businessId, merchantKey, notifySecret, wallets }
}

/**
 * Writes to a temporary file and renames it, so that a power cut leaves the old file or the new
 * one.
 */
function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}
