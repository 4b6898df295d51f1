// The receiver behind the companion's own outbox, over each store: what is credited, how often,
// and what is answered.
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { Pool, type PoolClient } from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  createNoticeReceiver,
  memoryNoticeStore,
  noticeTables,
  postgresNoticeStore,
  sqliteNoticeStore,
  takeNotice,
  type NoticeData,
  type NoticeReceiverOptions,
  type NoticeRules,
  type NoticeStore,
  type SqliteConnection,
} from '../../server/client/index.ts'
import { signatureHeaders } from '../../server/notices/send-notice.ts'
import { keys } from '../helpers/create-test-system.ts'
import { postgresMissing, startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { order, shopBackend, type ShopBackend } from './shop-backend.ts'

const secret = keys.notifySecret
const noPostgres = await postgresMissing()
let postgres: TestPostgres | undefined
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})
afterAll(() => postgres?.stop())

/**
 * A shop with its orders at what they cost, and a list of what its callbacks were told; with SQL
 * that list is a table.
 */
interface Shop {
  readonly rules: NoticeRules<unknown>
  told(): Promise<string[]>
}

const prices: Readonly<Record<string, number>> = { 'A-1': 2500, 'A-2': 2500, 'A-3': 900 }

function rulesOver<Transaction>(
  store: NoticeStore<Transaction>,
  tell: (line: string, transaction: Transaction) => void | Promise<void>,
): NoticeRules<unknown> {
  const rules: NoticeRules<Transaction> = {
    mode: 'test',
    store,
    expects({ orderId = '' }) {
      const amount = prices[orderId]
      return amount === undefined ? undefined : { amount, currency: 'KES' }
    },
    onPaid: ({ paymentId }, transaction) => tell(`paid ${paymentId}`, transaction),
    onUncredited: ({ paymentId }, why, transaction) => tell(`${why} ${paymentId}`, transaction),
    onEnded: ({ paymentId }, transaction) => tell(`ended ${paymentId}`, transaction),
    onReview: ({ paymentId, reason }, transaction) => tell(`review ${paymentId} ${reason ?? ''}`, transaction),
  }
  return rules
}

function inMemory(): Shop {
  const lines: string[] = []
  return { rules: rulesOver(memoryNoticeStore(), (line) => void lines.push(line)), told: async () => lines }
}

function inSqlite(db: SqliteConnection): Shop {
  db.exec('CREATE TABLE told (id INTEGER PRIMARY KEY, line TEXT NOT NULL)')
  return {
    rules: rulesOver(sqliteNoticeStore(db), (line, own) => {
      if (own !== db) throw new Error('It was another connection.')
      own.prepare('INSERT INTO told (line) VALUES (?) RETURNING id').all(line)
    }),
    told: async () =>
      (db.prepare('SELECT line FROM told ORDER BY id').all() as { line: string }[]).map(({ line }) => line),
  }
}

async function inPostgres(): Promise<Shop> {
  postgres ??= await startPostgres()
  const pool = new Pool({ connectionString: await postgres.freshDatabase() })
  endings.push(() => pool.end())
  await pool.query(`${noticeTables} CREATE TABLE told (id SERIAL PRIMARY KEY, line TEXT NOT NULL)`)
  return {
    rules: rulesOver<PoolClient>(postgresNoticeStore(pool), async (line, client) => {
      await client.query('INSERT INTO told (line) VALUES ($1)', [line])
    }),
    told: async () =>
      (await pool.query<{ line: string }>('SELECT line FROM told ORDER BY id')).rows.map(({ line }) => line),
  }
}

function nodeSqlite(): Shop {
  const db = new DatabaseSync(':memory:')
  endings.push(() => db.close())
  return inSqlite(db)
}

function betterSqlite(): Shop {
  const db = new Database(':memory:')
  endings.push(() => db.close())
  return inSqlite(db)
}

const stores = [
  ['memory', async () => inMemory()],
  ['node:sqlite', async () => nodeSqlite()],
  ['better-sqlite3', async () => betterSqlite()],
  ['pg', inPostgres],
] as const

const data = (changes: Partial<NoticeData> = {}): NoticeData => ({
  paymentId: 'dep_1',
  reference: 'HCT1',
  orderId: 'A-1',
  amount: 2500,
  currency: 'KES',
  country: 'KE',
  phase: 'succeeded',
  late: false,
  duplicate: false,
  version: 4,
  mode: 'test',
  metadata: {},
  ...changes,
})

type Type = 'payment.succeeded' | 'payment.duplicate' | 'payment.failed' | 'payment.expired' | 'payment.review'
const notice = (type: Type, changes: Partial<NoticeData> = {}) => ({ type, data: data(changes) })
const paid = (changes: Partial<NoticeData> = {}) => notice('payment.succeeded', changes)

describe.each(stores)('a shop whose store is %s', (name, open) => {
  const runs = name === 'pg' && noPostgres !== undefined ? it.skip : it

  runs('credits what the companion proves, and hears of a failure', async () => {
    const { rules, told } = await open()
    const system = await selling(rules)
    const paidId = await system.buy('A-1', '01')
    const failedId = await system.buy('A-2', '02')
    await system.shop.system.advance(40)
    expect((await told()).toSorted()).toEqual([`ended ${failedId}`, `paid ${paidId}`])
    expect((await system.shop.client.payments.get(paidId)).notices).toMatchObject([{ state: 'delivered' }])
    await system.shop.client.payments.resend(paidId)
    await system.shop.system.advance(5)
    expect(system.answers.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(await told()).toHaveLength(2)
  })

  runs('credits once, however many notices of it come at once', async () => {
    const { rules, told } = await open()
    await Promise.all(Array.from({ length: 12 }, () => takeNotice(paid(), rules)))
    expect(await told()).toEqual(['paid dep_1'])
  })

  runs('credits an order once, by whichever of its payments comes first, and tells of the other one', async () => {
    const { rules, told } = await open()
    const ids = ['dep_1', 'dep_2', 'dep_3']
    await Promise.all([...ids, ...ids].map((paymentId) => takeNotice(paid({ paymentId }), rules)))
    const lines = await told()
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['paid', 'second_payment', 'second_payment'])
    expect(new Set(lines.map((line) => line.split(' ')[1])).size).toBe(3)
  })

  runs('lets the highest version win: a failure that comes after its success releases no order', async () => {
    const { rules, told } = await open()
    await takeNotice(paid({ version: 5 }), rules)
    await takeNotice(notice('payment.failed', { version: 4 }), rules)
    await takeNotice(notice('payment.review', { version: 3, reason: 'x' }), rules)
    expect(await told()).toEqual(['paid dep_1'])
    await takeNotice(notice('payment.failed', { paymentId: 'dep_2', orderId: 'A-2', version: 3 }), rules)
    await takeNotice(notice('payment.failed', { paymentId: 'dep_2', orderId: 'A-2', version: 3 }), rules)
    await takeNotice(paid({ paymentId: 'dep_2', orderId: 'A-2', version: 5, late: true }), rules)
    expect(await told()).toEqual(['paid dep_1', 'ended dep_2', 'paid dep_2'])
  })

  runs('credits a success that comes after the news of something later', async () => {
    const { rules, told } = await open()
    await takeNotice(notice('payment.review', { version: 6, reason: 'query_amount' }), rules)
    await takeNotice(paid({ version: 5 }), rules)
    expect(await told()).toEqual(['review dep_1 query_amount', 'paid dep_1'])
  })

  runs('does not release an order that another payment has paid', async () => {
    const { rules, told } = await open()
    await takeNotice(paid(), rules)
    await takeNotice(notice('payment.expired', { paymentId: 'dep_2', version: 3 }), rules)
    expect(await told()).toEqual(['paid dep_1'])
  })

  runs('has no order to release where a payment that names none has ended', async () => {
    const { rules, told } = await open()
    for (const type of ['payment.failed', 'payment.expired'] as const) {
      const { orderId: _, ...loose } = data({ paymentId: type })
      await takeNotice({ type, data: loose }, rules)
    }
    expect(await told()).toEqual([])
  })

  runs('hears nothing of a failure of the other mode', async () => {
    const { rules, told } = await open()
    await takeNotice(notice('payment.failed', { mode: 'live' }), rules)
    await takeNotice(notice('payment.review', { mode: 'live', version: 5 }), rules)
    expect(await told()).toEqual([])
  })

  runs.each([
    ['second_payment', notice('payment.duplicate')],
    ['wrong_amount', paid({ amount: 25 })],
    ['wrong_amount', paid({ currency: 'UGX' })],
    ['unknown_order', paid({ orderId: 'A-9' })],
    ['wrong_mode', paid({ mode: 'live' })],
  ] as const)('of money that credits nothing (%s) tells once, and never credits it later', async (why, uncredited) => {
    const { rules, told } = await open()
    await takeNotice(uncredited, rules)
    await takeNotice(uncredited, rules)
    await takeNotice(paid({ version: 9 }), rules)
    expect(await told()).toEqual([`${why} dep_1`])
  })

  runs('after a restore that reports its two payments the other way round pays back neither twice', async () => {
    const { rules, told } = await open()
    await takeNotice(paid(), rules)
    await takeNotice(notice('payment.duplicate', { paymentId: 'dep_2' }), rules)
    await takeNotice(notice('payment.duplicate', { version: 7 }), rules)
    await takeNotice(paid({ paymentId: 'dep_2', version: 7 }), rules)
    expect(await told()).toEqual(['paid dep_1', 'second_payment dep_2'])
  })

  runs('where customers choose the amount, credits each payment', async () => {
    const { rules, told } = await open()
    const donations = { ...rules, expects: (payment: NoticeData) => payment }
    for (const paymentId of ['dep_1', 'dep_2']) {
      const { orderId: _, ...gift } = data({ paymentId })
      await takeNotice({ type: 'payment.succeeded', data: gift }, donations)
    }
    expect(await told()).toEqual(['paid dep_1', 'paid dep_2'])
  })

  runs('stores nothing of a notice whose credit has failed, and credits it when it comes again', async () => {
    const { rules, told } = await open()
    const failing = {
      ...rules,
      onPaid(payment: NoticeData, transaction: unknown) {
        const done = rules.onPaid(payment, transaction)
        const fails = () => {
          throw new Error('the shop’s own fault')
        }
        return done instanceof Promise ? done.then(fails) : fails()
      },
    }
    const told500: unknown[] = []
    const { status } = await receiverOver(failing, { onError: (error) => told500.push(error) })(posted(paid()))
    expect([status, told500]).toEqual([500, [expect.objectContaining({ message: 'the shop’s own fault' })]])
    // Memory takes back what is its own alone.
    if (name !== 'memory') expect(await told()).toEqual([])
    const before = (await told()).length
    expect((await receiverOver(rules)(posted(paid()))).status).toBe(204)
    expect((await told()).slice(before)).toEqual(['paid dep_1'])
  })
})

/**
 * As the queries of query builders are: nothing happens until somebody waits for them, and they
 * are no Promise.
 */
const query = (work: () => void) => ({
  // oxlint-disable-next-line unicorn/no-thenable -- That is what is tried.
  then(done: (value: undefined) => void) {
    work()
    done(undefined)
  },
})

it('a query that a callback returns is run before the notice is stored', async () => {
  const { rules, told } = inMemory()
  const lazy = {
    ...rules,
    onPaid: ({ paymentId }: NoticeData) =>
      query(() => rules.onUncredited(data({ paymentId }), 'wrong_mode', undefined)),
  }
  await takeNotice(paid(), lazy)
  expect(await told()).toEqual(['wrong_mode dep_1'])
})

it.each([
  ['a promise', async () => {}],
  ['a query', () => query(() => {})],
])('a callback that returns %s within a transaction of SQLite stores nothing, and says so', async (_what, onPaid) => {
  const { rules, told } = nodeSqlite()
  const faults: unknown[] = []
  const waits = { ...rules, onPaid }
  expect((await receiverOver(waits, { onError: (error) => faults.push(error) })(posted(paid()))).status).toBe(500)
  expect(String(faults[0])).toContain('is async')
  await takeNotice(paid(), rules)
  expect(await told()).toEqual(['paid dep_1'])
})

it('a connection of PostgreSQL that cannot roll back is given to nobody else', async () => {
  const released: unknown[] = []
  const lost = async () => Promise.reject(new Error('terminated'))
  const pool = { connect: async () => ({ query: lost, release: (broken?: boolean) => void released.push(broken) }) }
  await expect(takeNotice(paid(), { ...inMemory().rules, store: postgresNoticeStore(pool) })).rejects.toThrow(
    'terminated',
  )
  expect(released).toEqual([true])
})

describe('what is answered', () => {
  const errors: unknown[] = []
  const receiver = () => receiverOver(inMemory().rules, { onError: (error) => errors.push(error) })
  afterEach(() => void errors.splice(0))

  it('to a forged notice: 401, and nothing is credited', async () => {
    const { rules, told } = inMemory()
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    const receive = receiverOver(rules, { onError: (error) => errors.push(error) })
    expect((await receive(posted(paid(), other))).status).toBe(401)
    expect(errors).toMatchObject([{ code: 'forged' }])
    expect(await told()).toEqual([])
  })

  it('to a stranger: 401, without a word in the log', async () => {
    const stranger = new Request('https://shop.example/notices', { method: 'POST', body: '{}' })
    expect((await receiver()(stranger)).status).toBe(401)
    expect(errors).toEqual([])
  })

  it('to a browser that opens the address: 405', async () => {
    const answer = await receiver()(new Request('https://shop.example/notices'))
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('to a body without end: 413, before it is read', async () => {
    let read = 0
    const endless = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(new Uint8Array((read += 8192) && 8192)) })
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit
    expect((await receiver()(new Request('https://shop.example/notices', init))).status).toBe(413)
    expect(read).toBeLessThan(200_000)
  })

  it('where a body was read before: 500, and what to do', async () => {
    const request = posted(paid())
    await request.text()
    expect((await receiver()(request)).status).toBe(500)
    expect(String(errors[0])).toContain('express.json()')
  })

  it('to a notice of a type that is newer than this package: 204', async () => {
    expect((await receiver()(posted({ type: 'payment.new' as Type, data: data() }))).status).toBe(204)
  })
})

it.each([
  [{ secret: '' }, /HC_NOTIFY_SECRET/],
  [{ secret: undefined }, /HC_NOTIFY_SECRET/],
  [{ secret: 'whsec_short' }, /HC_NOTIFY_SECRET/],
  [{ secret: 'notbase64' }, /HC_NOTIFY_SECRET/],
  [{ mode: undefined }, /mode/],
  [{ store: undefined }, /store/],
  [{ onUncredited: undefined }, /onUncredited/],
])('a receiver without what it needs does not start: %j', (lacks, says) => {
  const options = { secret, ...inMemory().rules, ...lacks } as NoticeReceiverOptions<unknown>
  expect(() => createNoticeReceiver(options)).toThrow(says)
})

it('a companion in the same process hands its notices over', async () => {
  const { rules, told } = inMemory()
  const shop = await shopBackend({ settings: { notifyUrl: undefined } })
  endings.push(() => shop.system.close())
  shop.system.companion.notices.on('*', (told) => takeNotice(told, rules))
  const { token } = await shop.client.sessions.create(order('A-1'))
  const id = await shop.pay(token)
  await shop.system.advance(20)
  expect(await told()).toEqual([`paid ${id}`])
})

function receiverOver(rules: NoticeRules<unknown>, more: Partial<NoticeReceiverOptions<unknown>> = {}) {
  return createNoticeReceiver({ secret, ...rules, ...more })
}

function posted(what: { type: Type; data: NoticeData }, signer: string = secret): Request {
  const body = JSON.stringify({ ...what, timestamp: new Date().toISOString() })
  const headers = {
    'content-type': 'application/json',
    ...signatureHeaders({ id: 'msg_1', body }, [signer], Date.now()),
  }
  return new Request('https://shop.example/notices', { method: 'POST', body, headers })
}

interface Selling {
  readonly shop: ShopBackend
  readonly answers: Response[]
  /** A customer pays an order; returns the payment's id. */
  buy(orderId: string, outcome: string): Promise<string>
}

async function selling(rules: NoticeRules<unknown>): Promise<Selling> {
  const answers: Response[] = []
  const receive = receiverOver(rules)
  const shop = await shopBackend({
    receive: async (request) => {
      const answer = await receive(request)
      answers.push(answer)
      return answer
    },
  })
  endings.push(() => shop.system.close())
  return {
    shop,
    answers,
    async buy(orderId, outcome) {
      const { token } = await shop.client.sessions.create(order(orderId))
      return shop.pay(token, outcome)
    },
  }
}
