// The doors of the console beside those of payments: notes, money owed back, payment links, the
// live list, the record.
import { Hono } from 'hono'
import type { Console } from '../console/console.ts'
import type { ReconcileLine } from '../contract/index.ts'
import {
  ActQuery,
  ActTableQuery,
  CloseLink,
  CreateLink,
  FigureQuery,
  LinkQuery,
  NewNote,
  NewPaidBack,
  OwedQuery,
  OwedTableQuery,
  ReconcileQuery,
} from '../contract/index.ts'
import type { Acts } from '../deposits/merchant/acts.ts'
import { CompanionError } from '../platform/errors.ts'
import { csvAnswer } from './csv-answer.ts'
import { type Env, EVENT_STREAM, outgoingOf, streamOf } from './http.ts'
import { keyOfAct } from './idempotency-key.ts'
import type { ReportProblem } from './problem-answers.ts'
import { createRateLimit } from './rate-limit.ts'
import { queryOf, readBytes, readJson } from './read-request.ts'
import type { Staff } from './staff.ts'

/**
 * Live lists that one user or key may open in a minute. A person who reloads again and again, in
 * some tabs, opens one a second; each opening keeps some memory for a quarter of a minute.
 */
const MOST_OPENINGS = 120

/** A month of a busy shop. It is read in one piece, and half a second is long for the others. */
const MOST_STATEMENT_BYTES = 8 * 1024 * 1024

export function deskRoutes(parts: {
  readonly staff: Staff
  readonly acts: Acts
  readonly console: () => Promise<Console>
  readonly report: ReportProblem
  readonly now: () => number
}): Hono<Env> {
  const { staff, acts } = parts
  const openings = createRateLimit({ most: MOST_OPENINGS, now: parts.now })
  const app = new Hono<Env>()
  const viewer = staff.atLeast('viewer')
  const operator = staff.atLeast('operator')
  const owner = staff.atLeast('owner')

  // A screen that is left open is nobody who works there.
  app.get('/payments/events', staff.atLeast('viewer', { isUse: false }), async (c) => {
    if (c.req.method === 'HEAD') return c.body(null, 200, EVENT_STREAM)
    const { live } = await parts.console()
    const { name } = c.get('actor')
    openings.use(name)
    const events = live.open({
      name,
      left: c.req.raw.signal,
      mayLook: () => staff.isStillIn(c),
      cut: () => outgoingOf(c)?.destroy(),
    })
    return c.body(streamOf(events), 200, EVENT_STREAM)
  })

  app.post('/payments/:id/notes', operator, async (c) => {
    const given = await readJson(c, NewNote)
    const { record } = await parts.console()
    return c.json(await record.note(c.req.param('id'), given.text, c.get('actor'), keyOfAct(c, given)), 201)
  })
  app.post('/payments/:id/paid-back', operator, async (c) => {
    const given = await readJson(c, NewPaidBack)
    const { owed } = await parts.console()
    return c.json(await owed.payBack(c.req.param('id'), given, c.get('actor'), keyOfAct(c, given)), 201)
  })

  app.get('/owed', viewer, queryOf(OwedQuery), async (c) =>
    c.json(await (await parts.console()).owed.list(c.req.valid('query'))),
  )
  app.get('/owed.csv', operator, queryOf(OwedTableQuery), async (c) =>
    csvAnswer(c, parts, 'owed.csv', (await parts.console()).owed.csv(c.req.valid('query'))),
  )

  app.post('/links', operator, async (c) => {
    const given = await readJson(c, CreateLink, 32 * 1024)
    const { links } = await parts.console()
    return c.json(await links.create(given, c.get('actor'), keyOfAct(c, given)), 201)
  })
  app.get('/links', viewer, queryOf(LinkQuery), async (c) =>
    c.json(await (await parts.console()).links.list(c.req.valid('query'), c.get('actor'))),
  )
  app.get('/links/:id', viewer, async (c) =>
    c.json(await (await parts.console()).links.link(c.req.param('id'), c.get('actor'))),
  )

  app.post('/links/:id/close', operator, async (c) => {
    const given = await readJson(c, CloseLink)
    const { links } = await parts.console()
    return c.json(await links.close(c.req.param('id'), given.why, c.get('actor'), keyOfAct(c, given)))
  })

  app.get('/figures', viewer, queryOf(FigureQuery), async (c) =>
    c.json(await (await parts.console()).figures(c.req.valid('query'))),
  )
  app.get('/health', viewer, async (c) => c.json(await (await parts.console()).health()))

  app.post('/reconciliations', operator, queryOf(ReconcileQuery), async (c) => {
    if (!/^text\/csv\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
      throw new CompanionError('unsupported_media_type', { detail: 'Send the file of the portal as text/csv.' })
    const file = await readBytes(c, MOST_STATEMENT_BYTES)
    const { reconciliation } = await parts.console()
    const detail = `${file.length} bytes`
    const lines = await acts.record(c.get('actor'), { act: 'reconcile', detail }, async () =>
      reconciliation.begin(file, c.req.valid('query')),
    )
    return c.body(streamOf(asLines(lines)), 200, {
      'content-type': 'application/x-ndjson',
      'x-accel-buffering': 'no',
    })
  })

  app.get('/acts', owner, queryOf(ActQuery), async (c) =>
    c.json(await (await parts.console()).record.list(c.req.valid('query'))),
  )
  app.get('/acts.csv', owner, queryOf(ActTableQuery), async (c) =>
    csvAnswer(c, parts, 'acts.csv', (await parts.console()).record.csv(c.req.valid('query'))),
  )
  return app
}

async function* asLines(lines: AsyncIterable<ReconcileLine>): AsyncGenerator<string, void> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}
