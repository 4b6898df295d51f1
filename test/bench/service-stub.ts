// The payment service of the benchmark: a stub of service.md that answers correctly and at once.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** @param status answered to every status query */
export async function startServiceStub(status: 'PENDING' | 'SUCCESS' = 'PENDING'): Promise<string> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const input = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
        reference?: string
        amount?: number
        currency?: string
      }
      const path = req.url ?? ''
      const order = { reference: input.reference, transaction_id: `CP${input.reference}` }
      const data = path.endsWith('/login')
        ? { access_token: 'bench-token', token_type: 'bearer', expires_in: 3600 }
        : path.endsWith('status-query')
          ? { ...order, status, status_description: status === 'PENDING' ? 'Pending' : 'Success', date: '' }
          : {
              ...order,
              status: 'PENDING',
              status_description: 'Pending',
              amount: input.amount,
              currency: input.currency,
              redirect_url: `http://${req.headers.host}/checkout/${input.reference}`,
              date: '2026-11-21 09:00:00 AM',
            }
      const text = JSON.stringify({ success: true, message: 'Successfully initiated', data })
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      res.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
