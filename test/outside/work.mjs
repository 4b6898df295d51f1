// A shop's backend by the published client, in plain JavaScript that every runtime runs alike:
// given the companion's address and key and signed requests, it returns what it has done and what
// it believed.
import { createClient, createNoticeReceiver, memoryNoticeStore, NoticeError, verifyNotice } from 'hc-checkout-client'

export async function work(given) {
  const hc = createClient({ url: given.url, key: given.key })
  const terms = { amount: 2500, currency: 'KES', description: 'Solar lamp' }

  const first = await hc.sessions.create({ ...terms, orderId: given.orderId })
  const again = await hc.sessions.create({ ...terms, orderId: given.orderId })
  const refused = await hc.sessions.create({ ...terms, orderId: given.orderId, amount: -1 }).catch((error) => error)
  const wrongKey = await createClient({ url: given.url, key: 'mk_wrong' })
    .payments.page()
    .catch((error) => error)
  const unreachable = await createClient({ url: given.closed, key: given.key, retries: 0 })
    .payments.page()
    .catch((error) => error)
  const listed = []
  for await (const { orderId } of hc.payments.list({ limit: 1 })) listed.push(orderId)

  const credited = []
  const receiver = createNoticeReceiver({
    secret: given.secret,
    mode: 'test',
    store: memoryNoticeStore(),
    expects: ({ amount, currency }) => ({ amount, currency }),
    onPaid: ({ orderId }) => credited.push(orderId),
    onUncredited: ({ orderId }, why) => credited.push(`${why} ${orderId}`),
    onError: () => {},
  })
  const post = async ({ headers, body }) =>
    (await receiver(new Request('http://localhost/notices', { method: 'POST', headers, body }))).status
  const statuses = [await post(given.genuine), await post(given.genuine), await post(given.forged)]

  const believed = ({ headers, body }) => {
    try {
      return verifyNotice(body, headers, given.secret).data.orderId
    } catch (error) {
      return error instanceof NoticeError ? error.code : String(error)
    }
  }

  return {
    session: first.state,
    same: first.id === again.id,
    refused: [refused.code, refused.field],
    wrongKey: wrongKey.code,
    unreachable: unreachable.code,
    listed,
    believed: [believed(given.genuine), believed(given.forged)],
    statuses,
    credited,
  }
}
