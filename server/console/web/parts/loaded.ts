// What a view shows while it loads, when that takes long, when it fails, and once it is there.
import { type Task, TaskStatus } from '@lit/task'
import { html, nothing, type TemplateResult } from 'lit'
import type { App } from '../base/app.ts'
import { toHeading } from '../base/focus.ts'
import { faultWords } from './faults.ts'

/** The last value of each task: a task itself drops it when a later run fails. */
const lastValues = new WeakMap<object, unknown>()

/** @returns the last value that came, also while it is loaded again and after that has failed */
export function lastOf<T>(task: Task<readonly unknown[], T>): T | undefined {
  if (task.value !== undefined) lastValues.set(task, task.value)
  return lastValues.get(task) as T | undefined
}

/**
 * The task's last value stays on the screen while it is loaded again, and when that fails.
 *
 * @param isEmpty whether a value says that there is nothing, or nothing of what is asked for now.
 *   Such a value goes at once: it answered an earlier question, and would be read as the answer to
 *   this one. Default: none does.
 */
export function loaded<T>(
  app: App,
  task: Task<readonly unknown[], T>,
  render: (value: T) => TemplateResult,
  isEmpty: (value: T) => boolean = () => false,
): TemplateResult {
  const { error } = task
  const last = lastOf(task)
  const isOutdated = task.status !== TaskStatus.COMPLETE && last !== undefined && isEmpty(last)
  const value = isOutdated ? undefined : last
  const isPending = task.status === TaskStatus.PENDING || task.status === TaskStatus.INITIAL
  // The second line is shown by the style sheet once it has taken some seconds.
  const waiting = html`<div class="waiting" role="status">
    <span class="spinner" aria-hidden="true"></span>
    <p>${app.words.loading}</p>
    <p class="slow">${app.words.slow}</p>
  </div>`
  const again = (): void => {
    toHeading()
    void task.run()
  }
  const failed = html`<div class="fault" role="alert">
    <p>${faultWords(app, error)}</p>
    <button type="button" class="second" @click=${again}>${app.words.again}</button>
  </div>`
  return html`${error !== undefined && !isPending ? failed : nothing}
  ${
    value === undefined
      ? isPending
        ? waiting
        : nothing
      : html`<div class=${isPending ? 'stale' : ''} aria-busy=${isPending}>${render(value)}</div>`
  }`
}
