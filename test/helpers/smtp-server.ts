// A mail server of a test's own: takes mails on loopback and keeps them.
import { type AddressInfo, createServer } from 'node:net'

export interface SmtpServer {
  readonly port: number
  /** Whole texts with headers, in order. */
  readonly mails: string[]
  /** Every line that came in, for looking at what was sent in the clear. */
  readonly lines: string[]
  /** Refuses the next mails with that answer, e.g. `451 later`. */
  refuseWith(answer: string | undefined): void
  close(): Promise<void>
}

export async function smtpServer(): Promise<SmtpServer> {
  const mails: string[] = []
  const lines: string[] = []
  let refusal: string | undefined
  const server = createServer((socket) => {
    let buffer = ''
    let data: string[] | undefined
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    say('220 test ESMTP')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      buffer += chunk.toString('utf8')
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        lines.push(line)
        if (data !== undefined) {
          if (line !== '.') data.push(line.replace(/^\.\./, '.'))
          else {
            mails.push(data.join('\n'))
            data = undefined
            say('250 taken')
          }
        } else if (/^EHLO/i.test(line)) socket.write('250-test\r\n250 AUTH PLAIN\r\n')
        else if (/^AUTH/i.test(line)) say('235 welcome')
        else if (/^STARTTLS/i.test(line)) say('502 no')
        else if (/^RCPT/i.test(line) && refusal !== undefined) say(refusal)
        else if (/^DATA/i.test(line)) {
          data = []
          say('354 go on')
        } else if (/^QUIT/i.test(line)) {
          say('221 bye')
          socket.end()
        } else say('250 ok')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    lines,
    refuseWith: (answer) => void (refusal = answer),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
