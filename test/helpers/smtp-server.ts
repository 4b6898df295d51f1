// A mail server of a test's own: takes mails on loopback and keeps them.
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { TLSSocket, createSecureContext } from 'node:tls'

export interface SmtpServer {
  readonly port: number
  /** Whole texts with headers, in order. */
  readonly mails: string[]
  /** Every line that came in the clear. */
  readonly lines: string[]
  /** Refuses the next mails, or logins, with that answer, e.g. `451 later`. */
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
  /** With it the server offers STARTTLS, or with `implicit` speaks TLS from the first byte, and takes mail in no other way. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly implicit?: boolean }
}

export async function smtpServer({
  host = '127.0.0.1',
  onConnection = (greet) => greet(),
  tls,
}: SmtpServerOptions = {}): Promise<SmtpServer> {
  const mails: string[] = []
  const lines: string[] = []
  let refusal: { at: string; answer: string } | undefined
  const secured = (socket: Socket): Socket =>
    new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) })
  let breaksOff = false
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    if (tls?.implicit === true) talk(secured(socket), true)
    else talk(socket, false)
  })

  function talk(socket: Socket, isSecure: boolean, greets = true): void {
    let buffer = ''
    let data: string[] | undefined
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    if (greets) onConnection(() => say('220 test ESMTP'))
    socket.on('error', () => {})
    socket.on('data', function take(chunk) {
      buffer += chunk.toString('utf8')
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        if (!isSecure) lines.push(line)
        if (data !== undefined) {
          if (breaksOff) socket.destroy()
          else if (line !== '.') data.push(line.replace(/^\.\./, '.'))
          else {
            mails.push(data.join('\n'))
            data = undefined
            say('250 taken')
          }
        } else if (refusal !== undefined && line.startsWith(refusal.at)) say(refusal.answer)
        else if (/^EHLO/i.test(line))
          socket.write(`250-test\r\n250 ${tls === undefined || isSecure ? 'AUTH PLAIN' : 'STARTTLS'}\r\n`)
        else if (/^AUTH/i.test(line)) say('235 welcome')
        else if (/^STARTTLS/i.test(line) && tls !== undefined) {
          socket.off('data', take)
          say('220 go on')
          talk(secured(socket), true, false)
        } else if (/^STARTTLS/i.test(line)) say('502 no')
        else if (/^DATA/i.test(line)) {
          data = []
          say('354 go on')
        } else if (/^QUIT/i.test(line)) {
          say('221 bye')
          socket.end()
        } else say('250 ok')
      }
    })
  }
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    lines,
    refuseWith: (answer, at = 'RCPT') => void (refusal = answer === undefined ? undefined : { at, answer }),
    breakOff: () => void (breaksOff = true),
    close: () => {
      // A failed handshake leaves its connection open.
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
