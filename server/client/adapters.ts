// A receiver in the servers that do not speak Request and Response. Each takes the body as it
// arrives, before anything parses it.
import { MOST_BYTES, readAll, type NoticeReceiver } from './notice-receiver.ts'

type NodeHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A request of node:http, as Express hands it on too. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly headers: NodeHeaders
  /**
   * There where something has read the stream before: bytes by express.raw(), and no notice any
   * more by express.json().
   */
  readonly body?: unknown
  /** As some hosts keep it, beside a parsed body. */
  readonly rawBody?: unknown
  readonly readableDidRead?: boolean
}

export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(text: string): unknown
}

/**
 * `app.post('/notices', expressNotices(receiver))`, before `app.use(express.json())`; also for
 * node:http itself.
 */
export function expressNotices(receiver: NoticeReceiver) {
  return async function notices(request: NodeRequest, response: NodeResponse): Promise<void> {
    let answer: Response
    try {
      answer = await receiver(await asRequest(request))
    } catch {
      // It broke off while it was read: there is nobody to answer, and nothing may end the process.
      answer = new Response(null, { status: 400 })
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(await answer.text())
  }
}

/**
 * `app.register(fastifyNotices(receiver, '/notices'))`. Only this route of the server takes its
 * body unparsed.
 */
export function fastifyNotices(receiver: NoticeReceiver, path: string) {
  // Async: by that Fastify tells a plugin from one with a callback.
  return async function notices(app: FastifyServer): Promise<void> {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    app.post(path, async (request, reply) => {
      const body = request.body instanceof Uint8Array ? new Uint8Array(request.body) : ''
      const answer = await receiver(posted(request.headers, body))
      return reply
        .code(answer.status)
        .headers(Object.fromEntries(answer.headers))
        .send(await answer.text())
    })
  }
}

/** `app.post('/notices', honoNotices(receiver))`. */
export function honoNotices(receiver: NoticeReceiver) {
  return (context: { readonly req: { readonly raw: Request } }): Promise<Response> => receiver(context.req.raw)
}

/** What is used of Fastify. */
export interface FastifyServer {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: unknown) => void) => void,
  ): unknown
  post(
    path: string,
    handler: (request: { body: unknown; headers: NodeHeaders }, reply: FastifyReply) => Promise<unknown>,
  ): unknown
}

export interface FastifyReply {
  code(status: number): FastifyReply
  headers(headers: Record<string, string>): FastifyReply
  send(text: string): unknown
}

async function asRequest(request: NodeRequest): Promise<Request> {
  const { method = 'POST', headers, rawBody, body, readableDidRead } = request
  if (method !== 'POST') return new Request(ANYWHERE, { method })
  const kept = [rawBody, body].find((one) => one instanceof Uint8Array || typeof one === 'string')
  if (kept !== undefined) return posted(headers, kept as Uint8Array<ArrayBuffer> | string)
  const isRead = body !== undefined || readableDidRead === true
  const whole = isRead ? new Uint8Array() : await readAll(request)
  const made = posted(headers, whole ?? new Uint8Array(MOST_BYTES + 1))
  // As the receiver knows a body that somebody else has read.
  if (isRead) await made.arrayBuffer()
  return made
}

const ANYWHERE = 'http://localhost/'

/** With what a notice is verified by. */
function posted(headers: NodeHeaders, body: Uint8Array<ArrayBuffer> | string): Request {
  const signed = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('webhook-') && value !== undefined ? [[name, String(value)] as [string, string]] : [],
  )
  return new Request(ANYWHERE, { method: 'POST', headers: signed, body })
}
