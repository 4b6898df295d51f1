// A program that writes deposits until it is killed, and logs each step that the store acknowledged.
// Environment: HC_DATABASE_URL, HC_ACKS (file of acknowledged steps), HC_FAILPOINT (step:before or step:after), HC_LIVES (concurrent deposits; 0: one
// deposit, then exit), HC_THREAD (1: a SQLite file runs in a thread of its own from the start).
import { openSync, writeSync } from 'node:fs'
import { createStore } from '../../server/store/create-store.ts'
import type { CrashPoint, Engine } from '../../server/store/engine.ts'
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
  const { sqliteEngine } = await import('../../server/store/sqlite.ts')
  const threadEntry = new URL('../store/faulty-thread.ts', import.meta.url)
  const engine = sqliteEngine({ path: url.slice('file:'.length), threadEntry, ...hook })
  if (process.env['HC_THREAD'] === '1' && !(await engine.moveToThread())) throw new Error('There is no thread.')
  return engine
}

const engine = url.startsWith('file:')
  ? await openFile()
  : await (await import('../../server/store/postgres.ts')).postgresEngine({ url, ...hook })
const store = createStore(engine)

/** A file keeps what was written to it when its writer is killed. */
function acknowledge(line: string): void {
  writeSync(acks, `${line}\n`)
}

async function live(id: string): Promise<void> {
  for (const step of steps) {
    current = step.name
    // What the thread of a database looks at.
    if (current === failStep) process.env['HC_TEST_FAULT'] = `kill ${failWhen}`
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
