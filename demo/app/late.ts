// The parts of the page that no first view needs. What could not be had is not asked for again:
// the page says so, and a reload asks.
import { come, demo, draw } from './demo.ts'

type Stage = typeof import('./stage.ts')
let stage: Promise<Stage | undefined> | undefined

/** The phone and the presenter's bar. */
export function enterStage(): Promise<Stage | undefined> {
  return (stage ??= drawn(import('./stage.ts')))
}

/** An address may want them. */
export function followToStage(): void {
  const { present, phone } = demo.address.choices
  if (present !== undefined || phone === 'yes') void enterStage()
}

/** What stands below the shop. */
export function loadLater(): void {
  void drawn(import('./later.ts'))
}

async function drawn<Part>(part: Promise<Part>): Promise<Part | undefined> {
  const has = await come(part)
  draw()
  return has
}
