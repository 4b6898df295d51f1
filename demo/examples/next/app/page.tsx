// The session is made on the server at each request, and is the same one as long as the order is.
import { notFound } from 'next/navigation'
import { shop } from '../lib/shop'
import { Checkout } from './checkout'

// Else every customer would get the page, and the session, of the build. With it Next also forbids
// caches to keep the page.
export const dynamic = 'force-dynamic'

export default async function Page() {
  const { hc, order } = shop()
  const lamp = order('A-1')
  if (lamp === undefined) notFound()
  const { amount, currency } = lamp
  const { token } = await hc.sessions.create({ amount, currency, orderId: 'A-1', description: 'Lamp' })
  return <Checkout companion={process.env.COMPANION ?? ''} session={token} />
}
