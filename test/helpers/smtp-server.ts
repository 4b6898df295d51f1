// A mail server of a test's own, by smtp-server: takes mails on loopback and keeps them.
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface SmtpServer {
  readonly port: number
  /** Whole texts with headers, in order. */
  readonly mails: string[]
  /** User and password of each login. */
  readonly logins: [user: string | undefined, password: string | null | undefined][]
  /** The commands that came in the clear, without what follows their names. */
  readonly clear: string[]
  /** Refuses the next mails, or logins, with that answer, for example `451 later`. */
  refuseWith(answer: string | undefined, at?: 'RCPT' | 'AUTH'): void
  /** Breaks off in the next mails, before their end is answered. */
  breakOff(): void
  close(): Promise<void>
}

export interface SmtpServerOptions {
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string
  /** Called with each connection, which is greeted when it calls `greet`. Default: at once. */
  readonly onConnection?: (greet: () => void) => void
  /**
   * With it the server offers STARTTLS, or with `implicit` speaks TLS from the first byte, and
   * takes mail in no other way.
   */
  readonly tls?: { readonly key: string; readonly cert: string; readonly implicit?: boolean }
}

/** Ms that it waits for its client: no other connection waits as long. */
export const SERVER_WAITS_MS = 61_000

export async function smtpServer({
  host = '127.0.0.1',
  onConnection = (greet) => greet(),
  tls,
}: SmtpServerOptions = {}): Promise<SmtpServer> {
  const mails: string[] = []
  const logins: SmtpServer['logins'] = []
  const clear: string[] = []
  let refusal: { readonly at: string; readonly answer: string } | undefined
  let breaksOff = false
  let isSecure = tls?.implicit === true
  const sockets = new Set<Socket>()
  const refusedAt = (at: string): Error | undefined => {
    if (refusal?.at !== at) return undefined
    const [code, words] = [refusal.answer.slice(0, 3), refusal.answer.slice(4)]
    return Object.assign(new Error(words), { responseCode: Number(code) })
  }
  const silent = () => {}
  const server = new SMTPServer({
    ...(tls === undefined
      ? { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }
      : { key: tls.key, cert: tls.cert }),
    secure: isSecure,
    authMethods: ['PLAIN'],
    disableReverseLookup: true,
    closeTimeout: 1,
    socketTimeout: SERVER_WAITS_MS,
    logger: {
      trace: silent,
      info: silent,
      warn: silent,
      error: silent,
      fatal: silent,
      debug({ tnx, command }: { readonly tnx?: string; readonly command?: string }) {
        if (tnx === 'command' && command !== undefined && !isSecure) clear.push(command)
      },
    },
    onConnect: (_session, callback) => onConnection(() => callback()),
    onSecure(_socket, _session, callback) {
      isSecure = true
      callback()
    },
    onAuth({ username, password }, _session, callback) {
      logins.push([username, password])
      callback(refusedAt('AUTH'), { user: username })
    },
    onRcptTo: (_address, _session, callback) => callback(refusedAt('RCPT')),
    onData(stream, _session, callback) {
      if (breaksOff) {
        for (const socket of sockets) socket.destroy()
        return
      }
      let mail = ''
      stream.on('data', (chunk: Buffer) => (mail += chunk.toString()))
      stream.on('end', () => {
        mails.push(mail)
        callback()
      })
    },
  })
  // For example a failed handshake.
  server.on('error', silent)
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    logins,
    clear,
    refuseWith: (answer, at = 'RCPT') => void (refusal = answer === undefined ? undefined : { at, answer }),
    breakOff: () => void (breaksOff = true),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
