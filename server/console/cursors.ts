// Where a page of a list ends, as a text for the next request.
import type { Table } from '../deposits/merchant/csv.ts'
import type { Position } from '../deposits/ports/desk-store.ts'
import { CompanionError } from '../platform/errors.ts'

const writeCursor = ({ at, id }: Position): string => Buffer.from(`${at}.${id}`).toString('base64url')

/** @throws CompanionError `invalid_request` */
export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [, at, id] = /^(\d{1,15})\.(\w{1,60})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined)
    throw new CompanionError('invalid_request', {
      detail: 'The cursor is not one of ours.',
      issues: [{ path: 'cursor', code: 'invalid', message: 'Use nextCursor of the last page.' }],
    })
  return { at: Number(at), id }
}

/** Cuts a page out of rows of which one more than `limit` was read. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): { readonly page: readonly Row[]; readonly next: { readonly nextCursor?: string } } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last !== undefined ? { nextCursor: writeCursor(positionOf(last)) } : {} }
}

/** Pages of a list as a table: the header with the first of them. */
export async function* tableInPages<Row>(
  { header, lineOf }: Table<Row>,
  read: (after: Position | undefined) => Promise<readonly Row[]>,
  positionOf: (row: Row) => Position,
): AsyncGenerator<string, void> {
  let text = header
  for (let after: Position | undefined; ;) {
    const rows = await read(after)
    text += rows.map(lineOf).join('')
    if (text !== '') yield text
    const last = rows.at(-1)
    if (last === undefined) return
    after = positionOf(last)
    text = ''
  }
}
