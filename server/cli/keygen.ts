// `hc-checkout-server keygen`: generates the RSA key pair and the secrets that a merchant needs.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { codeOf } from '../platform/error-code.ts'
import { makeFolder } from '../platform/make-folder.ts'
import { type CommandIo, UsageError } from './io.ts'

export const help = `Usage: hc-checkout-server keygen [--directory DIR] [--secrets-only]

Makes an RSA key pair (2048 bits) in DIR, privatekey.pem for HC_PRIVATE_KEY_FILE and publickey.pem to upload in the
service's portal, and prints HC_SECRET, HC_MERCHANT_KEY, HC_NOTIFY_SECRET, HC_OPS_TOKEN and HC_PRIVATE_KEY_FILE as
lines of an env file. Nothing is ever overwritten.

  --directory <dir>   where the key files go (the present directory)
  --secrets-only      no key pair; for the rotation of a secret
  --help              this text

Exit codes: 0 made and printed, 2 nothing was made, as where a key file is there already.`

/** Makes each secret of an installation, by its setting. */
export const makeSecret = {
  HC_SECRET: () => randomBytes(32).toString('base64url'),
  HC_MERCHANT_KEY: () => `mk_${randomBytes(32).toString('base64url')}`,
  HC_NOTIFY_SECRET: () => `whsec_${randomBytes(32).toString('base64')}`,
  HC_OPS_TOKEN: () => randomBytes(24).toString('base64url'),
}

/** An RSA key pair in PEM. */
export const makeKeys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      directory: { type: 'string', default: '.' },
      'secrets-only': { type: 'boolean', default: false },
    },
  })
  if (!values['secrets-only']) {
    const files = makeKeyPair(values.directory)
    io.out(`HC_PRIVATE_KEY_FILE=${files.privateKey}`)
    io.err(
      `Upload ${files.publicKey} in the service's portal. Keep ${files.privateKey} readable by the ` +
        "companion's user only.",
    )
  }
  for (const [name, make] of Object.entries(makeSecret)) io.out(`${name}=${make()}`)
  return 0
}

/** Returns absolute paths, because the companion may be started in any directory. */
function makeKeyPair(given: string): { privateKey: string; publicKey: string } {
  const directory = resolve(given)
  try {
    makeFolder(directory)
  } catch (error) {
    throw new UsageError(`--directory: ${directory} cannot be made (${codeOf(error) || 'unwritable'}).`)
  }
  const files = { privateKey: join(directory, 'privatekey.pem'), publicKey: join(directory, 'publickey.pem') }
  // Check both before writing either: half a pair is useless and blocks the next run.
  for (const file of Object.values(files)) if (existsSync(file)) throw isThere(file)
  const { privateKey, publicKey } = makeKeys()
  const made: string[] = []
  function write(file: string, pem: string, mode: number): void {
    // wx: never overwrite a key that may be registered in the portal.
    const opened = openSync(file, 'wx', mode)
    made.push(file)
    try {
      writeFileSync(opened, pem)
    } finally {
      closeSync(opened)
    }
  }
  try {
    write(files.privateKey, privateKey, 0o600)
    write(files.publicKey, publicKey, 0o644)
  } catch (error) {
    for (const file of made) rmSync(file, { force: true })
    const { code, path } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw isThere(path ?? directory)
    throw new UsageError(
      `--directory: ${directory} cannot be written to (${codeOf(error) || 'unwritable'}); nothing was made.`,
    )
  }
  return files
}

function isThere(file: string): UsageError {
  return new UsageError(`${file} is there already and is not overwritten; choose another --directory.`)
}
