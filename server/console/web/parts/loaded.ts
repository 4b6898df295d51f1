// What a view shows while it loads, when that takes long, when it fails, and once it is there.
import { type Task, TaskStatus } from '@lit/task'
import { html, nothing, type TemplateResult } from 'lit'
import type { App } from '../base/app.ts'
import { toHeading } from '../base/focus.ts'
import { faultWords } from './faults.ts'

/** The task's last value stays on the screen while it is loaded again, and when that fails. */
export function loaded<T>(
  app: App,
  task: Task<readonly unknown[], T>,
  render: (value: T) => TemplateResult,
): TemplateResult {
  const { value, error } = task
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
