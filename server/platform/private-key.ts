// Reads the merchant's private key, or says in one sentence what is wrong with it. No message
// contains key material.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** The smallest that the service names (open-points.md, "The signing algorithm"). */
const SMALLEST_MODULUS_IN_BITS = 2048

/** A setting that cannot work; `setting` is the variable that the operator has to correct. */
export class UpstreamSettingError extends Error {
  override readonly name = 'UpstreamSettingError'
  readonly setting: string
  /** The message without the name of the setting. */
  readonly fault: string

  constructor(setting: string, fault: string) {
    super(`${setting} ${fault}`)
    this.setting = setting
    this.fault = fault
  }
}

/**
 * PEM with line breaks. Environment variables often carry them as the characters `\n` or `\r\n`.
 */
export function pemOf(text: string): string {
  return `${text.replaceAll('\\r', '').replaceAll('\\n', '\n').replaceAll('\r', '').trim()}\n`
}

/**
 * Reads an unencrypted RSA private key (PKCS#1 or PKCS#8, PEM, 2048 bits or more; open-points.md,
 * "The signing algorithm").
 *
 * @param text the key itself, not its path; line breaks as in `pemOf`.
 * @throws UpstreamSettingError for a missing, broken, encrypted, public, non-RSA or too short key.
 */
export function readPrivateKey(text: string): KeyObject {
  const fault = (sentence: string): never => {
    throw new UpstreamSettingError('HC_PRIVATE_KEY', sentence)
  }
  const pem = pemOf(text)
  if (pem === '\n')
    return fault('is empty; give the private key whose public half is uploaded in the service’s portal.')
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type:.*ENCRYPTED/m.test(pem)) {
    return fault('is encrypted with a passphrase; give it without one (openssl rsa -in key.pem -out plain.pem).')
  }
  const key = parse(pem)
  if (key === undefined) {
    if (isPublic(pem)) return fault('is a public key or certificate; give the private key that belongs to it.')
    return fault(
      'is not a readable private key; give the whole PEM text from -----BEGIN to -----END with its line ends ' +
        '(in one line as \\n), or name its file in HC_PRIVATE_KEY_FILE.',
    )
  }
  if (key.asymmetricKeyType !== 'rsa') {
    return fault(
      `is not an RSA key but ${key.asymmetricKeyType ?? 'of an unknown type'}; make one with openssl genrsa 2048.`,
    )
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < SMALLEST_MODULUS_IN_BITS) {
    return fault(`has ${bits} bits; the service takes RSA keys of ${SMALLEST_MODULUS_IN_BITS} bits or more.`)
  }
  return key
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    // OpenSSL's messages do not help here, and might quote their input.
    return undefined
  }
}

function isPublic(pem: string): boolean {
  try {
    createPublicKey(pem)
    return true
  } catch {
    return false
  }
}
