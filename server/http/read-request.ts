// What a route takes of a request: a body and values that fit their schema. Each throws a
// CompanionError for anything else.
import type { Context } from 'hono'
import { validator } from 'hono/validator'
import type { z } from 'zod'
import type { ProblemCode, ProblemIssue } from '../contract/index.ts'
import { issueWords } from '../contract/issue-words.ts'
import { CompanionError } from '../platform/errors.ts'
import { type Env, outgoingOf } from './http.ts'

/** Of a body, unless its route sets another limit. */
const MOST_BYTES = 8 * 1024

/**
 * The body as bytes, at most `limit` of them. A longer one is refused while it is still arriving.
 * Hono's own body limit makes a new Request of a body in pieces, and fails where the adapter leaves
 * the global Request as it is.
 *
 * @param coding a Content-Encoding that is taken; any other is refused
 */
export async function readBytes(c: Context<Env>, limit = MOST_BYTES, coding = 'identity'): Promise<Uint8Array> {
  const { req } = c
  const length = Number(req.header('content-length') ?? Number.NaN)
  if (length > limit) throw tooLarge(limit)
  if (!['identity', coding].includes((req.header('content-encoding') ?? 'identity').toLowerCase()))
    throw new CompanionError('unsupported_media_type', { detail: 'Send the body without Content-Encoding.' })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    const isShort = length <= limit && endsAtItsLength(c)
    const arriving = isShort ? [new Uint8Array(await req.arrayBuffer())] : (req.raw.body ?? [])
    for await (const chunk of arriving) {
      size += chunk.byteLength
      if (size > limit) break
      chunks.push(chunk)
    }
  } catch {
    // The client left before its request was complete: not our fault, and nobody to answer.
    throw new CompanionError('invalid_request', { detail: 'The body broke off.' })
  }
  if (size > limit) throw tooLarge(limit)
  return Buffer.concat(chunks)
}

/** Node's server takes no byte beyond Content-Length. Another may not check the length. */
const endsAtItsLength = (c: Context<Env>): boolean =>
  outgoingOf(c) !== undefined && c.req.header('transfer-encoding') === undefined

const tooLarge = (limit: number) => new CompanionError('body_too_large', { detail: `At most ${limit} bytes.` })

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A JSON body that fits its schema. Hono's validator does not do: it reads a body of any size,
 * takes bytes that are no UTF-8, and reads a body of another type as an empty object.
 */
export async function readJson<S extends z.ZodType>(
  c: Context<Env>,
  schema: S,
  limit = MOST_BYTES,
): Promise<z.infer<S>> {
  mustBeJson(c)
  return parsed(await readBytes(c, limit), schema)
}

/** The same, and undefined for an empty body, which some clients send with its type. */
export async function readJsonIfAny<S extends z.ZodType>(c: Context<Env>, schema: S): Promise<z.infer<S> | undefined> {
  const bytes = await readBytes(c, MOST_BYTES)
  if (bytes.byteLength === 0) return undefined
  mustBeJson(c)
  return parsed(bytes, schema)
}

function mustBeJson(c: Context<Env>): void {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new CompanionError('unsupported_media_type', { detail: 'Send Content-Type: application/json.' })
}

function parsed<S extends z.ZodType>(bytes: Uint8Array, schema: S): z.infer<S> {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw new CompanionError('malformed_json', { detail: 'The body could not be read as UTF-8 JSON.' })
  }
  return check(schema, value)
}

/** An issue for each field that does not fit. */
export function issuesOf({ issues }: z.ZodError): ProblemIssue[] {
  return issues.map(({ path, code, message }) => ({ path: path.map(String).join('.'), code, message }))
}

/**
 * The value as its schema reads it. @throws CompanionError with an issue for each field that does
 * not fit
 */
function check<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value, { error: issueWords })
  if (result.success) return result.data
  const issues = issuesOf(result.error)
  const code: ProblemCode =
    issues.length === 1 && issues[0]?.path === 'country' && typeof (value as { country?: unknown }).country === 'string'
      ? 'country_not_offered'
      : 'invalid_request'
  throw new CompanionError(code, {
    detail: issues.map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`)).join('; '),
    issues,
  })
}

/** The query by its schema. A parameter that is given twice is refused. */
export const queryOf = <S extends z.ZodType>(schema: S) =>
  validator('query', (values): z.infer<S> => {
    const repeated = Object.keys(values).filter((name) => Array.isArray(values[name]))
    if (repeated.length > 0) {
      const message = 'Given more than once; send one value.'
      throw new CompanionError('invalid_request', {
        detail: repeated.map((name) => `${name}: ${message}`).join('; '),
        issues: repeated.map((path) => ({ path, code: 'repeated', message })),
      })
    }
    return check(schema, values)
  })
