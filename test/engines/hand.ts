// How a flow waits for a page in any browser engine, and presses what is in the element. What runs
// in the page is written for the oldest engine: no optional chaining, no arrow needed.
import { setTimeout as pause } from 'node:timers/promises'
import type { EnginePage } from './engine-page.ts'

const PATIENCE_MS = 120_000

/** What the selector finds inside the element. */
export function part(selector: string): string {
  const element = `document.querySelector('hc-checkout')`
  return `(${element} && ${element}.shadowRoot && ${element}.shadowRoot.querySelector('${selector}'))`
}

/** Clicks on it once it stands still: a picture that comes late moves all that is below it. */
export async function clickOn(page: EnginePage, selector: string): Promise<void> {
  const lookUp = `(function () {
    var one = ${part(selector)}
    one.scrollIntoView({ block: 'center' })
    var r = one.getBoundingClientRect()
    return [r.left + r.width / 2, r.top + r.height / 2]
  })()`
  // Undefined while there is no such part.
  const place = async () => (await page.evaluate(lookUp)) as [x: number, y: number] | undefined
  let now = await place()
  await until(async () => {
    const before = now
    now = await place()
    return now !== undefined && String(now) === String(before)
  }, `${selector} stands still`)
  await page.click(...now!)
}

/** @throws when it never is, in words that name it */
export async function until(is: () => Promise<unknown>, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(100)) {
    if ((await is()) === true) return
  }
  throw new Error(`waited ${PATIENCE_MS / 1000} s in vain until ${what}`)
}
