// The HTTP network between a world's people and the companion: requests to any living process may
// get lost, truncated, duplicated or delayed. What an answer promises is checked as it leaves the
// process, before it can get lost.
import type { Chance } from './chance.ts'
import type { Checks } from './checks.ts'
import type { Faults } from './faults.ts'
import type { SimProcess } from './process.ts'
import type { VirtualTime } from './virtual-time.ts'

export const COMPANION_URL = 'https://pay.shop.example'

export interface Answer {
  readonly status: number
  readonly text: string
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Called with the answer as the process sends it. */
  readonly onAnswer?: (answer: Answer) => void
}

export interface Network {
  /** Undefined: no answer came, and the outcome is unknown. */
  send(which: 'browser' | 'callback' | 'backend', call: Call): Promise<Answer | undefined>
  /** Opens a status stream for as long as its process lives; its events are checked. */
  watch(id: string, token: string): void
  /** Open streams, with the last version that each showed. */
  readonly watching: ReadonlySet<{ readonly id: string; readonly version: number }>
  readonly requests: number
  readonly serverErrors: number
}

/** How long each caller waits for an answer, ms. */
const PATIENCE = { browser: 30_000, callback: 10_000, backend: 30_000 } as const

export function createNetwork(parts: {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly faults: Faults
  readonly checks: Checks
  readonly processes: () => readonly SimProcess[]
}): Network {
  const { time, chance, faults, checks, processes } = parts
  let requests = 0
  let serverErrors = 0

  async function ask(call: Call): Promise<Answer> {
    const alive = processes().filter((process) => process.isAlive())
    if (alive.length === 0) return { status: 502, text: 'connection refused' }
    const process = chance.pick(alive)
    requests += 1
    process.busy += 1
    const { method, path, headers, body } = call
    const response = await process.companion.app.request(`${COMPANION_URL}${path}`, {
      method,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    })
    const answer = { status: response.status, text: await response.text() }
    if (!process.isAlive()) return new Promise<never>(() => {})
    process.busy -= 1
    call.onAnswer?.(answer)
    if (answer.status === 500) {
      serverErrors += 1
      checks.fail('errors', `500 for ${method} ${path.replace(/[\w-]{30,}/, '…')}: ${answer.text}`)
    }
    if (answer.status >= 400) checks.noLeak('problem', answer.text)
    return answer
  }

  function send(which: 'browser' | 'callback' | 'backend', call: Call): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const fault = which === 'backend' ? undefined : faults.network(which)
      const arrive = (lost: boolean, wait: number) =>
        time.after(wait, () => {
          void ask(call).then((answer) => {
            if (!lost) time.after(chance.between(2, 150), () => resolve(answer))
          })
        })
      const out = chance.between(2, 150)
      time.after(PATIENCE[which], () => resolve(undefined))
      if (fault === 'drop') return
      if (fault === 'gateway_error') {
        if (chance.happens(0.5)) arrive(true, out)
        time.after(out + 100, () => resolve({ status: 502, text: 'bad gateway' }))
        return
      }
      if (fault === 'twice') arrive(true, out + chance.between(0, 200))
      arrive(
        fault === 'cut_after' || fault === 'half_answer',
        fault === 'late' ? out + chance.between(500, 20_000) : out,
      )
    })
  }

  const watching = new Set<{ readonly id: string; readonly process: SimProcess; version: number }>()

  async function listen(id: string, token: string): Promise<void> {
    const alive = processes().filter((process) => process.isAlive())
    if (alive.length === 0) return
    const process = chance.pick(alive)
    process.busy += 1
    const response = await process.companion.app.request(`${COMPANION_URL}/v1/deposits/${id}/events`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!process.isAlive()) return
    process.busy -= 1
    if (response.status !== 200 || response.body === null) return
    const stream = { id, process, version: 0 }
    watching.add(stream)
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    time.after(20 * 60_000, () => void (watching.delete(stream) && process.isAlive() && reader.cancel()))
    let ended = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const text = decoder.decode(value)
      checks.noLeak('stream', text)
      for (const [, version, body] of text.matchAll(/^id: (\d+)\nevent: deposit\ndata: (.*)$/gm)) {
        if (Number(version) <= stream.version)
          checks.fail('monotone', `a stream went from version ${stream.version} to ${version}`)
        if (ended !== '') checks.fail('monotone', `a stream went on after ${ended}`)
        stream.version = Number(version)
        const { phase } = JSON.parse(body ?? '{}') as { phase?: string }
        if (phase === 'succeeded' || phase === 'rejected') ended = phase
      }
    }
    watching.delete(stream)
  }

  return {
    send,
    watch: (id, token) =>
      void listen(id, token).catch((error: unknown) => checks.fail('errors', `a stream broke: ${String(error)}`)),
    get watching() {
      return new Set([...watching].filter(({ process }) => process.isAlive()))
    },
    get requests() {
      return requests
    },
    get serverErrors() {
      return serverErrors
    },
  }
}
