// The commands against a whole system on loopback: their output, what they leave unchanged, and
// their exit codes. doctor.test.ts has doctor.
import { writeFileSync } from 'node:fs'
import { createServer, request as sendOn } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PaymentDetail } from '../../server/contract/index.ts'
import { kenyanDeposit, keys, newKey } from '../helpers/create-test-system.ts'
import { run } from './run-in-process.ts'
import { runningSystem } from './running-system.ts'

const { folder, env } = runningSystem()

it('trigger plays a scenario to its end, and reconcile finds it in the statement', async () => {
  const played = await run(['trigger', 'success', '--amount', '2500'], env)
  expect(played).toMatchObject({ code: 0, out: expect.stringContaining('succeeded') })
  expect(played.out).toContain(`At ${env['HC_PUBLIC_URL']}, for no order of your shop: your receiver credits nothing.`)
  const [reference = ''] = /HCT[0-9A-Z]{21}/.exec(played.out) ?? []
  const today = new Date().toISOString().slice(0, 10)
  const compare = async (...lines: string[]) => {
    const file = join(folder, 'statement.csv')
    writeFileSync(file, ['Merchant Reference;Status;Amount;Currency;Date', ...lines].join('\r\n'))
    return run(['reconcile', '--statement', file, '--from', today, '--to', today], env)
  }
  expect(await compare(`${reference};Completed;2,500.00;KES;${today} 10:00:00`)).toMatchObject({ code: 0 })
  expect(await compare(`${reference};Completed;2501;UGX;`)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/different .*amount 2501.*currency UGX/),
  })
  expect(await compare(`${reference};FAILED;2500;KES;`)).toMatchObject({
    code: 1,
    out: expect.stringContaining('failed in the statement, succeeded here'),
  })
  expect(await compare(`HCT0;SUCCESS;10;KES;`)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/missing +HCT0 .*\nextra +HCT/),
  })
  expect(await compare(`${reference};SUCCESS;2500;KES;`, `${reference};SUCCESS;2500;KES;`)).toMatchObject({
    code: 1,
    out: expect.stringContaining('paid twice'),
  })
})

it('forget erases a person by the number as dialled at home or abroad, from payments and callbacks, and nobody else', async () => {
  const pay = async (name: string, phone: string) => {
    const answer = await fetch(`${env['HC_PUBLIC_URL']}/v1/deposits`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': newKey() },
      body: JSON.stringify(kenyanDeposit({ payer: { name, phone }, bankCode: undefined })),
    })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { id: string }).id
  }
  const asha = await pay('Asha Otieno', '0712000111')
  const brian = await pay('Brian Kamau', '0712000222')
  const payerOf = async (id: string) => {
    const answer = await fetch(`${env['HC_PUBLIC_URL']}/v1/payments/${id}`, {
      headers: { authorization: `Bearer ${keys.merchantKey}` },
    })
    const { amount, payer } = (await answer.json()) as PaymentDetail
    expect(amount).toBe(2500)
    return payer?.name
  }
  expect(await run(['forget', '0712000111'], env)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--country'),
  })
  expect(await run(['forget', '0712 000 111', '--country', 'ke'], env)).toMatchObject({
    code: 0,
    out: '1 payment has no payer any more.',
  })
  expect([await payerOf(asha), await payerOf(brian)]).toEqual([undefined, 'Brian Kamau'])
  expect(await run(['forget', '+254 712 000 222'], env)).toMatchObject({ code: 0 })
  expect(await payerOf(brian)).toBeUndefined()
  expect(await run(['forget', '+254712000222'], env)).toMatchObject({
    code: 0,
    out: '0 payments have no payer any more.',
  })
})

it('trigger pays an order that the shop knows, where one is named', async () => {
  const played = await run(['trigger', 'success', '--order', 'NURU-1001', '--amount', '2300'], env)
  expect(played).toMatchObject({ code: 0, out: expect.stringContaining('succeeded') })
  const answer = await fetch(`${env['HC_PUBLIC_URL']}/v1/payments?orderId=NURU-1001`, {
    headers: { authorization: `Bearer ${keys.merchantKey}` },
  })
  const paid = { orderId: 'NURU-1001', amount: 2300, phase: 'succeeded' }
  // A receiver knows them by these.
  const marks = { clientReference: 'hc-checkout-server trigger', metadata: { trigger: 'success' } }
  expect(await answer.json()).toMatchObject({ payments: [{ ...paid, ...marks }] })
  expect(played.out).toContain(`At ${env['HC_PUBLIC_URL']}, for NURU-1001.`)
  // Paid already: the companion says so, and nothing is played.
  const again = await run(['trigger', 'success', '--order', 'NURU-1001', '--amount', '2300'], env)
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('paid') })
  const { HC_MERCHANT_KEY: _key, ...withoutKey } = env
  const refused = await run(['trigger', 'success', '--order', 'NURU-1002'], withoutKey)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('give HC_MERCHANT_KEY') })
})

it('trigger answers 1 when the ending does not come, and 2 when nobody is there', async () => {
  expect(await run(['trigger', 'declined', '--wait', '0'], env)).toMatchObject({ code: 1 })
  expect(await run(['trigger', 'success', '--companion', 'http://127.0.0.1:1'], env)).toMatchObject({
    code: 2,
    err: expect.stringContaining('No companion answers'),
  })
  const tls = String(env['HC_PUBLIC_URL']).replace('http:', 'https:')
  expect(await run(['trigger', 'success', '--companion', tls], env)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^There is no safe connection to \S+ \([A-Z_]+\)\./),
  })
})

it('trigger pays at another address of the companion, and follows beyond a restart, which a proxy answers with 502 meanwhile', async () => {
  const target = String(env['HC_PUBLIC_URL'])
  let lost = 0
  const proxy = createServer((request, response) => {
    if (request.method === 'GET' && request.url?.startsWith('/v1/deposits/') === true && lost++ < 1) {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
      return
    }
    const { method, headers } = request
    request.pipe(
      sendOn(`${target}${request.url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      }),
    )
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const companion = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const played = await run(['trigger', 'cancelled', '--companion', companion], env)
  expect(lost).toBeGreaterThan(1)
  expect(played).toMatchObject({ code: 0, out: expect.stringContaining('failed'), err: '' })
  lost = -Infinity
  expect(await run(['trigger', 'create-error', '--wait', '1', '--companion', companion], env)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/, as far as is known: What answers at \S+ is no companion/),
  })
  proxy.close()
  proxy.closeAllConnections()
})

it('a second companion on the port says which setting to change, and leaves the first alone', async () => {
  const { code, err } = await run(['start'], {
    ...env,
    HC_LOG_LEVEL: 'error',
    HC_DATABASE_URL: `file:${join(folder, 'other.db')}`,
  })
  expect(code).toBe(1)
  expect(err).toMatch(/port \d+ is taken by another program: .*perhaps a companion that still runs.*HC_PORT/)
  expect((await fetch(`${env['HC_PUBLIC_URL']}/healthz`)).status).toBe(200)
})
