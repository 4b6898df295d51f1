// Signatures against the vectors made by openssl, and the error messages for an unusable key.
import { generateKeyPairSync, createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readPrivateKey, UpstreamSettingError } from '../../server/platform/private-key.ts'
import { createSigner, depositText, queryText } from '../../server/upstream/sign.ts'
import { vectors, testKey } from './material.ts'

const signer = createSigner({ key: readPrivateKey(testKey), businessId: vectors.x_hash[0].business_id })

describe('signatures', () => {
  it.each(vectors.signature)('signs the deposit $string to the letter', async (vector) => {
    expect(depositText(vector)).toBe(vector.string)
    expect(await signer.deposit(vector)).toBe(vector.base64)
  })

  it.each(vectors.status_query_signature)('signs the query $string to the letter', async (vector) => {
    const order = { walletNo: vector.wallet_no, reference: vector.reference }
    expect(queryText(order)).toBe(vector.string)
    expect(await signer.query(order)).toBe(vector.base64)
  })

  it('makes x-hash to the letter, once', async () => {
    const first = signer.hash()
    expect(signer.hash()).toBe(first)
    expect(await first).toBe(vectors.x_hash[0].base64)
  })

  it.each([0, -1, 2500.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'refuses to sign an amount of %s',
    async (amount) => {
      await expect(signer.deposit({ reference: 'R', currency: 'KES', amount })).rejects.toThrow(
        new RangeError('The amount of a deposit must be a whole number of major units above 0.'),
      )
    },
  )

  it('signs one unit', () => {
    expect(depositText({ reference: 'R', currency: 'KES', amount: 1 })).toBe('420001RKES1')
  })

  it('says why a signature could not be made, and makes x-hash anew the next time', async () => {
    // It signs no digests: that is found out only while it signs.
    const key = generateKeyPairSync('ed25519').privateKey
    const broken = createSigner({ key, businessId: 'B' })
    const first = broken.hash()
    const error = await first.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message).toBe('The signature could not be made.')
    expect((error as Error).cause).toBeInstanceOf(Error)
    expect(broken.hash()).not.toBe(first)
    await expect(broken.hash()).rejects.toThrow('The signature could not be made.')
  })

  it('tells a signature that failed and tries the next one anew', async () => {
    const publicHalf = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
    const broken = createSigner({ key: publicHalf, businessId: 'B' })
    await expect((async () => broken.deposit({ reference: 'R', currency: 'KES', amount: 5 }))()).rejects.toThrow()
  })
})

describe('the private key', () => {
  it('is read with line ends written as two characters', async () => {
    const inline = testKey.replaceAll('\n', '\\n')
    const other = createSigner({ key: readPrivateKey(inline), businessId: 'B' })
    expect(await other.deposit(vectors.signature[0])).toBe(vectors.signature[0].base64)
  })

  it('is read with Windows line ends, spaces around it, and as PKCS#1', () => {
    const pkcs1 = createPrivateKey(testKey).export({ type: 'pkcs1', format: 'pem' }) as string
    expect(readPrivateKey(`  ${testKey.replaceAll('\n', '\r\n')}\n\n`).asymmetricKeyType).toBe('rsa')
    expect(readPrivateKey(testKey.replaceAll('\n', '\\r\\n')).asymmetricKeyType).toBe('rsa')
    expect(readPrivateKey(pkcs1).asymmetricKeyType).toBe('rsa')
  })

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const locked = { cipher: 'aes-256-cbc', passphrase: 'secret-phrase', format: 'pem' } as const
  const body = testKey.split('\n').slice(1, -2).join('')
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['nothing', '  ', /^HC_PRIVATE_KEY is empty/],
    ['any text', 'not a key', /^HC_PRIVATE_KEY is not a readable private key/],
    ['half a key', testKey.slice(0, 700), /^HC_PRIVATE_KEY is not a readable private key/],
    [
      'an encrypted PKCS#8 key',
      rsa.privateKey.export({ type: 'pkcs8', ...locked }) as string,
      /^HC_PRIVATE_KEY is encrypted/,
    ],
    [
      'an encrypted PKCS#1 key',
      rsa.privateKey.export({ type: 'pkcs1', ...locked }) as string,
      /^HC_PRIVATE_KEY is encrypted/,
    ],
    [
      'a public key',
      rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string,
      /^HC_PRIVATE_KEY is a public key/,
    ],
    [
      'an elliptic key',
      pem(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
      /^HC_PRIVATE_KEY is not an RSA key but ec/,
    ],
    [
      'an RSA-PSS key',
      pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })),
      /^HC_PRIVATE_KEY is not an RSA key but rsa-pss/,
    ],
    ['a short key', pem(generateKeyPairSync('rsa', { modulusLength: 1024 })), /^HC_PRIVATE_KEY has 1024 bits/],
  ]
  it.each(cases)('says what is wrong with %s', (_name, text, message) => {
    const error = thrown(() => readPrivateKey(text))
    expect(error).toBeInstanceOf(UpstreamSettingError)
    expect(error.message).toMatch(message)
    expect((error as UpstreamSettingError).setting).toBe('HC_PRIVATE_KEY')
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(body.slice(20, 60))
    expect(error.cause).toBeUndefined()
  })
})

function pem(pair: { privateKey: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer } }): string {
  return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

function thrown(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}
