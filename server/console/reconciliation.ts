// A statement of the portal that a person gives to the console: compared with our payments, with
// progress.
import { setImmediate } from 'node:timers/promises'
import type { ReconcileLine, ReconcileQuery } from '../contract/index.ts'
import type { Store } from '../deposits/ports/store.ts'
import { CompanionError } from '../platform/errors.ts'
import { compare, spanOf } from './statement/compare.ts'
import { readStatement } from './statement/statement.ts'
import { StatementError } from './statement/statement-error.ts'

/** A person reads them one by one. */
const MOST_DIFFERENCES = 10_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

export interface Reconciliation {
  /**
   * Throws `statement_unreadable`, with what is wrong and where, and `rate_limited` while another
   * one runs.
   * @returns the lines of the answer, progress first and the result last
   */
  begin(file: Uint8Array, query: ReconcileQuery): AsyncGenerator<ReconcileLine, void>
}

function unreadable(error: unknown): unknown {
  if (!(error instanceof StatementError)) return error
  const { code, message, values } = error
  return new CompanionError('statement_unreadable', { detail: message, issues: [{ path: '', code, message, values }] })
}

function textOf(file: Uint8Array): string {
  try {
    return utf8.decode(file)
  } catch {
    throw new StatementError('not_utf8')
  }
}

export function createReconciliation(parts: {
  readonly store: Pick<Store, 'payments' | 'depositByReference'>
  readonly onError: (error: unknown) => void
}): Reconciliation {
  const { store, onError } = parts
  let isRunning = false

  /** Compares at once and to the end, whether or not somebody reads: then another one can begin. */
  function lines(
    rows: ReturnType<typeof readStatement>,
    span: ReturnType<typeof spanOf>,
  ): AsyncGenerator<ReconcileLine, void> {
    const waiting: ReconcileLine[] = []
    let wake = (): void => {}
    const tell = (line: ReconcileLine): void => {
      waiting.push(line)
      wake()
    }
    let isOver = false
    const onProgress = async (done: number, of: number): Promise<void> => {
      tell({ progress: { done, of } })
      // A read of SQLite takes no turn of the event loop by itself.
      await setImmediate()
    }
    void compare(rows, store, span, onProgress, MOST_DIFFERENCES)
      .then((differences) => {
        const [from, to] = [new Date(span.from).toISOString(), new Date(span.to).toISOString()]
        tell({ result: { rows: rows.length, from, to, differences } })
      })
      .catch((thrown: unknown) => {
        const error = unreadable(thrown)
        const known = error instanceof CompanionError ? error : undefined
        if (known?.code !== 'statement_unreadable') onError(error)
        const detail = known?.detail ?? 'The comparison broke off: try again.'
        const issues = known?.issues && [...known.issues]
        tell({ problem: { code: known?.code ?? 'internal_error', detail, issues } })
      })
      .finally(() => {
        isRunning = false
        isOver = true
        wake()
      })
    async function* told(): AsyncGenerator<ReconcileLine, void> {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (isOver) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    }
    return told()
  }

  return {
    begin(file, { fromDay, toDay }) {
      if (isRunning)
        throw new CompanionError('rate_limited', { detail: 'Another statement is being compared.', retryAfter: 5 })
      isRunning = true
      try {
        const rows = readStatement(textOf(file))
        const day = (text?: string) => (text === undefined ? undefined : Date.parse(`${text}T00:00:00Z`))
        const span = spanOf(rows, day(fromDay), day(toDay), 'the first and the last day')
        return lines(rows, span)
      } catch (error) {
        isRunning = false
        throw unreadable(error)
      }
    },
  }
}
