// Reads a request body, limited by the bytes that actually arrive, whatever Content-Length claims.
import type { Context } from 'hono'
import { ServiceError } from '../engine/envelope.ts'

/** 64 KiB; more is 413. */
const LARGEST_BODY_IN_BYTES = 64 * 1024

export async function readBody(c: Context): Promise<Uint8Array> {
  const tooLarge = (): ServiceError => new ServiceError(413, 'Payload too large.')
  if (Number(c.req.header('Content-Length') ?? 0) > LARGEST_BODY_IN_BYTES) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > LARGEST_BODY_IN_BYTES) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError(400, 'The body could not be read.', { cause: error })
  }
  return Buffer.concat(chunks)
}
