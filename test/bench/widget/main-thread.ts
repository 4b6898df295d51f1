// The cost of a page on the main thread, from a trace, in that thread's own CPU time, so that other
// work on this machine is not counted.
import type { Browser } from 'playwright-core'

export interface MainThread {
  /** Sum of the time of tasks beyond 50 ms each, milliseconds. */
  readonly blocking: number
  /** All tasks together, milliseconds. */
  readonly work: number
}

/** The used fields of a trace event (Chrome's Trace Event Format); times are microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly tdur?: number
}

/** The performance mark at the start of every page. */
export const BEGUN = 'hc-begun'
const LONG_MS = 50
const TASK = 'ThreadControllerImpl::RunTask'

/**
 * Starts tracing before a page is loaded. Counts from after the task that created the document,
 * which is the browser's and the benchmark's own. @returns a function that stops tracing
 */
export async function watchMainThread(browser: Browser): Promise<() => Promise<MainThread>> {
  const cdp = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const includedCategories = ['toplevel', 'blink.user_timing']
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  return async () => {
    const complete = new Promise<void>((resolve) => void cdp.once('Tracing.tracingComplete', () => resolve()))
    await cdp.send('Tracing.end')
    await complete
    await cdp.detach()
    const start = events.find(({ name }) => name === BEGUN)
    if (start === undefined) throw new Error('The trace has no page in it.')
    const tasks = events
      .filter(({ name, pid, tid, ts }) => name === TASK && pid === start.pid && tid === start.tid && ts >= start.ts)
      .map(({ tdur = 0 }) => tdur / 1000)
    const sum = (numbers: readonly number[]) => numbers.reduce((total, ms) => total + ms, 0)
    return { work: sum(tasks), blocking: sum(tasks.map((ms) => Math.max(0, ms - LONG_MS))) }
  }
}
