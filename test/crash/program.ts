// A program that writes deposits until it is killed, and logs each step that the store
// acknowledged. Environment: HC_DATABASE_URL, HC_ACKS (file of acknowledged steps), HC_FAILPOINT
// (step:before or step:after), HC_LIVES (concurrent deposits; 0: one deposit, then exit).
import { openSync, writeSync } from 'node:fs'
import { createStore } from '../../server/store/engine/create-store.ts'
import type { CrashPoint, Engine } from '../../server/store/engine/engine.ts'
import { steps } from './life.ts'

const url = process.env['HC_DATABASE_URL'] ?? ''
const acks = openSync(process.env['HC_ACKS'] ?? '', 'a')
const [failStep, failWhen] = (process.env['HC_FAILPOINT'] ?? '').split(':')
const lives = Number(process.env['HC_LIVES'] ?? 0)
let current = ''

const crashPoint: CrashPoint = (when) => {
  if (current === failStep && when === failWhen) process.kill(process.pid, 'SIGKILL')
}
const hook = failStep ? { crashPoint } : {}

async function openFile(): Promise<Engine> {
  const { sqliteEngine } = await import('../../server/store/sqlite/sqlite.ts')
  return sqliteEngine({ path: url.slice('file:'.length), ...hook })
}

const engine = url.startsWith('file:')
  ? await openFile()
  : await (await import('../../server/store/postgres/postgres.ts')).postgresEngine({ url, ...hook })
const store = createStore(engine)

/** A file keeps what was written to it when its writer is killed. */
function acknowledge(line: string): void {
  writeSync(acks, `${line}\n`)
}

async function live(id: string): Promise<void> {
  for (const step of steps) {
    current = step.name
    await step.write({ id, store })
    acknowledge(`${id} ${step.name}`)
  }
}

if (lives === 0) {
  await live('life')
  await store.close()
} else {
  acknowledge('ready')
  let made = 0
  const forEver = async () => {
    for (;;) await live(`${process.pid}-${Date.now()}-${(made += 1)}`)
  }
  await Promise.all(Array.from({ length: lives }, forEver))
}
