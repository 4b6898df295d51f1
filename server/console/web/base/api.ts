// The doors of the companion that the console calls, by the session's cookie. The only place that
// calls fetch.
import type { Problem } from '../../../contract/index.ts'
import type {
  Act,
  ActList,
  CreateLink,
  Figures,
  Health,
  Link,
  LinkList,
  Me,
  Owed,
  OwedList,
  PaymentDetail,
  PaymentList,
  PaymentView,
  ReconcileLine,
} from '../../../contract/index.ts'

/** Relative to the page, which may lie below a path. */
const base = new URL('../v1/', document.baseURI)

export type Query = Readonly<Record<string, string | number | undefined>>

/**
 * What the companion answered in place of what was asked for; `status` 0 when it was not reached.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly problem: Partial<Problem>

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? `status ${status}`)
    this.status = status
    this.problem = problem
  }
}

/** Whether what was asked for may be done all the same: a refusal is an answer. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 400 || error.status >= 500

export function addressOf(path: string, query: Query = {}): string {
  const url = new URL(path, base)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  return url.href
}

/** Of a table to be saved as a file: people open it in a spreadsheet. */
export const tableOf = (path: `${string}.csv`, query: Query): string =>
  addressOf(path, { ...query, format: 'spreadsheet' })

interface Call {
  readonly method?: 'POST'
  readonly query?: Query
  readonly json?: unknown
  readonly key?: string
  readonly file?: Blob
  readonly signal?: AbortSignal
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function problemOf(response: Response): Promise<Partial<Problem>> {
  try {
    return (await response.json()) as Problem
  } catch {
    // A proxy's page.
    return {}
  }
}

export class Api {
  #csrf: string | undefined
  /** Of acts whose answer has not come, by what they are. */
  readonly #keys = new Map<string, string>()
  /** Called when a door says that nobody is signed in any more. */
  #ended: () => void

  constructor(ended: () => void) {
    this.#ended = ended
  }

  async #call(path: string, { method, query, json, key, file, signal }: Call): Promise<Response> {
    const headers: Record<string, string> = {}
    if (json !== undefined) headers['content-type'] = 'application/json'
    if (key !== undefined) headers['idempotency-key'] = key
    if (file !== undefined) headers['content-type'] = 'text/csv'
    if (this.#csrf !== undefined && method !== undefined) headers['x-hc-csrf'] = this.#csrf
    let response: Response
    try {
      response = await fetch(addressOf(path, query), {
        method: method ?? 'GET',
        headers,
        body: file ?? (json === undefined ? null : JSON.stringify(json)),
        ...(signal === undefined ? {} : { signal }),
      })
    } catch (error) {
      if (signal?.aborted === true) throw error
      throw new ApiError(0, {})
    }
    if (response.ok) return response
    const problem = await problemOf(response)
    if (problem.code === 'sign_in_missing') this.#ended()
    throw new ApiError(response.status, problem)
  }

  async #get<T>(path: string, signal: AbortSignal, query?: Query): Promise<T> {
    return (await (await this.#call(path, { signal, ...(query === undefined ? {} : { query }) })).json()) as T
  }

  async #post<T>(path: string, json: unknown = {}): Promise<T> {
    return (await (await this.#call(path, { method: 'POST', json })).json()) as T
  }

  /**
   * What is done once, however often it is pressed until it is answered: the same act with the same
   * words has the same key.
   */
  async #act<T>(path: string, json: unknown): Promise<T> {
    const what = `${path} ${JSON.stringify(json)}`
    const key = this.#keys.get(what) ?? newKey()
    this.#keys.set(what, key)
    let answer: T
    try {
      answer = (await (await this.#call(path, { method: 'POST', json, key })).json()) as T
    } catch (error) {
      if (!isUnanswered(error)) this.#keys.delete(what)
      throw error
    }
    this.#keys.delete(what)
    return answer
  }

  #take(me: Me): Me {
    this.#csrf = me.csrf
    return me
  }

  async signIn(name: string, password: string): Promise<Me> {
    return this.#take(await this.#post<Me>('console/sign-in', { name, password }))
  }

  async me(): Promise<Me> {
    return this.#take((await (await this.#call('console/me', {})).json()) as Me)
  }

  async signOut(): Promise<void> {
    await this.#call('console/sign-out', { method: 'POST' })
  }

  payments = (query: Query, signal: AbortSignal) => this.#get<PaymentList>('payments', signal, query)
  payment = (id: string, signal: AbortSignal) => this.#get<PaymentDetail>(`payments/${encodeURIComponent(id)}`, signal)
  ask = (id: string) => this.#post<PaymentView>(`payments/${encodeURIComponent(id)}/refresh`)
  resend = (id: string) => this.#post<{ requeued: number }>(`payments/${encodeURIComponent(id)}/notices`)
  note = (id: string, text: string) => this.#act<Act>(`payments/${encodeURIComponent(id)}/notes`, { text })
  decide = (id: string, decision: { outcome: 'succeeded' | 'failed'; reason: string; by: string }) =>
    this.#act<PaymentView>(`payments/${encodeURIComponent(id)}/decision`, decision)
  paidBack = (id: string, body: { on: string; amount: number; how: string }) =>
    this.#act<Owed>(`payments/${encodeURIComponent(id)}/paid-back`, body)
  owed = (query: Query, signal: AbortSignal) => this.#get<OwedList>('owed', signal, query)
  links = (query: Query, signal: AbortSignal) => this.#get<LinkList>('links', signal, query)
  closeLink = (id: string, why: string) => this.#act<Link>(`links/${encodeURIComponent(id)}/close`, { why })
  makeLink = (link: CreateLink) => this.#act<Link>('links', link)
  figures = (query: Query, signal: AbortSignal) => this.#get<Figures>('figures', signal, query)
  health = (signal: AbortSignal) => this.#get<Health>('health', signal)
  acts = (query: Query, signal: AbortSignal) => this.#get<ActList>('acts', signal, query)

  /** Compares a statement. @param heard called with each line of the answer as it comes */
  async reconcile(file: Blob, query: Query, heard: (line: ReconcileLine) => void): Promise<void> {
    const response = await this.#call('reconciliations', { method: 'POST', query, file })
    const decoder = new TextDecoder()
    let rest = ''
    const reader = response.body?.getReader()
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {}
      rest += decoder.decode(value, { stream: !done })
      const lines = rest.split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) if (line.trim() !== '') heard(JSON.parse(line) as ReconcileLine)
      if (done) return
    }
  }
}
