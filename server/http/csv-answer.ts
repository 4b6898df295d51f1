// A table as an answer: it streams, whatever its length, and never looks whole when it is not.
import type { Context } from 'hono'
import type { Acts } from '../deposits/merchant/acts.ts'
import type { Env } from './http.ts'
import { outgoingOf, streamOf } from './http.ts'
import type { ReportProblem } from './problem-answers.ts'

/**
 * The filters of a table, for the record of acts. Without the text that was searched for: it may be
 * a payer's phone or name, and the record outlives their details.
 */
function filtersOf(c: Context<Env>): string {
  const filters = new URL(c.req.url).searchParams
  filters.delete('format')
  if (filters.has('search')) filters.set('search', '…')
  return filters.size === 0 ? '' : `?${decodeURIComponent(filters.toString())}`
}

/**
 * Records who takes which table. The first line is read before the status is sent, so that a silent
 * database is a 503 and no table that breaks off.
 */
export async function csvAnswer(
  c: Context<Env>,
  { acts, report }: { readonly acts: Acts; readonly report: ReportProblem },
  name: string,
  rows: AsyncGenerator<string, void>,
): Promise<Response> {
  const detail = `${name} ${filtersOf(c)}`.trim()
  const first = await acts.record(c.get('actor'), { act: 'export', detail }, () => rows.next())
  const breakOff = (error: unknown): void => {
    // Logged and counted like any other error; the status that would answer it has been sent.
    report(error, c.get('requestId'), c.req.routePath)
    const outgoing = outgoingOf(c)
    if (outgoing === undefined) throw new Error('The export broke off.')
    // Hono's adapter would print what is thrown.
    outgoing.destroy()
  }
  return c.body(streamOf(whole(first.value ?? '', rows, breakOff)), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  })
}

/**
 * @param breakOff called when the rows cannot be read on: the table must not look whole to whoever
 *   receives it
 */
async function* whole(
  first: string,
  rows: AsyncIterator<string, void>,
  breakOff: (error: unknown) => void,
): AsyncGenerator<string, void> {
  for (let text = first; ;) {
    // Outside the try: what is thrown here says that the receiver has gone.
    yield text
    try {
      const next = await rows.next()
      if (next.done === true) return
      text = next.value
    } catch (error) {
      return breakOff(error)
    }
  }
}
