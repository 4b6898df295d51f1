// A minimal HTTP/1.1 client: one keep-alive connection, one request at a time, bytes made by the
// caller. Node's own client would be the slowest part of the benchmark, and every program would
// look alike.
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface Answer {
  /** 0 if the connection broke before the response was complete. */
  readonly status: number
  readonly body: string
}

export interface Wire {
  send(request: string): Promise<Answer>
  close(): void
}

export interface Target {
  readonly host: string
  readonly port: number
}

export function targetOf(url: string): Target {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

/** A complete request as text; all of ours are ASCII. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): string {
  let text = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`
  for (const [name, value] of Object.entries(headers)) text += `${name}: ${value}\r\n`
  if (body === undefined) return `${text}\r\n`
  return `${text}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Parses one response from the bytes so far; undefined while it is incomplete. */
function readAnswer(text: string): Answer | undefined {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return undefined
  const status = Number(text.slice(9, 12))
  const body = text.slice(head + 4)
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))
  if (length !== null) return body.length >= Number(length[1]) ? { status, body } : undefined
  if (status === 204 || status === 304) return { status, body: '' }
  return body.endsWith('0\r\n\r\n') ? { status, body } : undefined
}

/** Connects on first use, and again after the connection was cut. */
export function openWire(target: Target): Wire {
  let socket: Socket | undefined
  let text = ''
  let answered: ((answer: Answer) => void) | undefined

  function finish(answer: Answer): void {
    text = ''
    const tell = answered
    answered = undefined
    tell?.(answer)
  }
  function open(): Socket {
    const opened = connect({ ...target, noDelay: true })
    opened.setEncoding('latin1')
    opened.on('data', (chunk: string) => {
      text = text === '' ? chunk : text + chunk
      const answer = readAnswer(text)
      if (answer !== undefined) finish(answer)
    })
    opened.on('error', () => opened.destroy())
    opened.on('close', () => {
      if (socket !== opened) return
      socket = undefined
      finish({ status: 0, body: text })
    })
    return opened
  }
  return {
    send(request) {
      return new Promise((resolve) => {
        answered = resolve
        socket ??= open()
        socket.write(request, 'latin1')
      })
    },
    close() {
      const open = socket
      socket = undefined
      open?.destroy()
    },
  }
}
