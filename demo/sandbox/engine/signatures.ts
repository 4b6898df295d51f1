// Verifies what the merchant signs (RSA with SHA-256) and makes the callback's hash (HMAC).
// open-points.md rows "The signing algorithm", "Signature", "x-hash", "Transaction query" and
// "Webhook hash".
import { constants, createHmac, createPublicKey, verify } from 'node:crypto'

/** True if `signature` (Base64) is the key's RSASSA-PKCS1-v1_5 SHA-256 signature over `text`. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  // 2048 bits make 344 characters and 4096 make 684; anything much longer is garbage.
  if (signature.length > 1024 || !/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PADDING }
  return verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

/**
 * Reads an uploaded public key: PEM, RSA of at least 2048 bits; `\n` written as two characters is
 * accepted.
 * @returns the key as PEM, or a sentence that says what is wrong with it.
 */
export function readPublicKey(text: string): { pem: string } | { fault: string } {
  const pem = text.includes('\\n') ? text.replaceAll('\\n', '\n') : text
  if (pem.includes('PRIVATE KEY')) return { fault: 'This is a private key. Keep it secret and upload the public key.' }
  let key
  try {
    key = createPublicKey(pem)
  } catch {
    return { fault: 'Not a public key. Make one with: openssl rsa -in privatekey.pem -pubout' }
  }
  if (key.asymmetricKeyType !== 'rsa') return { fault: 'The key must be an RSA key.' }
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) return { fault: 'The key must have at least 2048 bits.' }
  return { pem: key.export({ type: 'spki', format: 'pem' }).toString() }
}

/**
 * The callback's `hash`: hexadecimal HMAC-SHA256, keyed with the consumer key, over the values
 * without separators.
 */
export function callbackHash(consumerKey: string, values: readonly (string | number)[]): string {
  return createHmac('sha256', consumerKey).update(values.join(''), 'utf8').digest('hex')
}
