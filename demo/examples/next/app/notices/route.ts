// Where the companion posts its notices.
import { shop } from '../../lib/shop'

export const runtime = 'nodejs'
export const POST = (request: Request) => shop().receiver(request)
