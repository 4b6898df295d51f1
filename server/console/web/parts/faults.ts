// What went wrong, in a sentence that says what to do.
import type { App } from '../base/app.ts'
import { ApiError } from '../base/api.ts'
import { fill } from '../base/format.ts'

/** Answers to two people who act on one thing at once. */
const TAKEN = ['decision_not_open', 'already_paid_back', 'not_owed', 'order_paid']

export function faultWords(app: Pick<App, 'words' | 'format'>, error: unknown): string {
  const t = app.words.faults
  if (!(error instanceof ApiError)) return fill(t.other, { detail: String(error) })
  const { status, problem } = error
  if (status === 0) return t.offline
  if (problem.code === 'role_too_low') return t.denied
  if (problem.code !== undefined && TAKEN.includes(problem.code)) return t.taken
  if (status === 404) return t.gone
  if (status === 429) return fill(t.busy, { time: app.format.span((problem.retryAfter ?? 60) * 1000) })
  if (status >= 500) return fill(t.server, { id: problem.requestId ?? '–' })
  const issues = problem.issues?.map(({ message }) => message) ?? []
  return fill(t.other, { detail: [problem.detail ?? String(status), ...issues].join(' ') })
}
