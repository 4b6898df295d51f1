// PostgreSQL as hosts and their administrators hand it out: users with few rights, with time limits and defaults of their own, and connections that are ended.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import type { TestPostgres } from '../helpers/postgres.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'

const missing = await postgresMissing()

describe.skipIf(missing !== undefined)('PostgreSQL of a host', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
  })

  /** A session as superuser in the database at `address`, for the length of `work`. */
  async function asAdministrator<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(address)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** Until as many sessions as that wait for a lock. */
  async function waiting(count: number, kind: string): Promise<void> {
    const text = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = '${kind}'`
    await expect.poll(async () => (await server.query(text)).length, { timeout: 10_000 }).toBe(count)
  }

  it('a connection that breaks in the middle of a change of two payments ends neither the process nor the change', async () => {
    const address = new URL(await server.freshDatabase())
    const direct = address.href
    const proxy = await startTcpProxy(Number(address.port))
    address.port = String(proxy.port)
    const store = await openStore(address.href)
    try {
      const rows = [depositRecord(), depositRecord()]
      for (const row of rows) await store.apply(creation(row))
      await asAdministrator(direct, async (other) => {
        await other.query('BEGIN')
        await other.query('SELECT FROM deposits WHERE id = $1 FOR UPDATE', [rows[1]?.id])
        const change = store.apply({
          deposits: rows.map((row) => ({ row: { ...row, version: 2 }, expect: 1, before: row })),
        })
        await waiting(1, 'transactionid')
        proxy.cutAll()
        await other.query('COMMIT')
        expect(await change).toEqual({ applied: true })
      })
      for (const { id } of rows) expect((await store.deposit(id))?.version).toBe(2)
    } finally {
      await store.close()
      await proxy.close()
    }
  })
})
