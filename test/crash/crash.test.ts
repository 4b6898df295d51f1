// A killed process loses nothing that was acknowledged and leaves nothing half done: killed at
// every durable step, and at random under load.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import type { TestPostgres } from '../helpers/postgres.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import { lookAt, steps } from './life.ts'

/** More with HC_CRASH_KILLS=100. */
const KILLS = Number(process.env['HC_CRASH_KILLS'] ?? 4)
const missing = await postgresMissing()
const program = join(import.meta.dirname, 'program.ts')

let server: TestPostgres | undefined
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-crash-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(url: string, environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--conditions=hc-source', program], {
    env: { ...process.env, NODE_OPTIONS: '', HC_DATABASE_URL: url, HC_ACKS: join(folder, 'acks'), ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? String(code))))
}

/** Steps acknowledged so far, by life. */
function acknowledged(): Map<string, string[]> {
  const lives = new Map<string, string[]>()
  if (!existsSync(join(folder, 'acks'))) return lives
  for (const line of readFileSync(join(folder, 'acks'), 'utf8').split('\n')) {
    const [id, step] = line.split(' ')
    if (id === undefined || step === undefined) continue
    lives.set(id, [...(lives.get(id) ?? []), step])
  }
  return lives
}

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await pause(5)
}

const places = [
  {
    name: 'SQLite',
    skip: false,
    database: () => Promise.resolve(`file:${join(folder, 'hc.db')}`),
    programs: 1,
  },
  {
    name: 'PostgreSQL',
    skip: missing !== undefined,
    database: async () => (await server?.freshDatabase()) ?? '',
    programs: 2,
  },
]

for (const place of places) {
  describe.skipIf(place.skip)(`${place.name}${place.skip ? ` (${missing})` : ''}`, () => {
    if (place.name === 'PostgreSQL') {
      beforeAll(async () => {
        server = await startPostgres()
      })
      afterAll(() => server?.stop())
    }

    const points = steps.flatMap(({ name }) => (['before', 'after'] as const).map((when) => ({ name, when })))
    test.each(points)('killed $when "$name" is made durable', async ({ name, when }) => {
      const url = await place.database()
      expect(await ended(run(url, { HC_FAILPOINT: `${name}:${when}` }))).toBe('SIGKILL')
      const store = await openStore(url)
      try {
        const names = steps.map((step) => step.name)
        const before = names.slice(0, names.indexOf(name))
        expect(acknowledged().get('life') ?? []).toEqual(before)
        expect(await lookAt({ id: 'life', store })).toEqual(when === 'before' ? before : [...before, name])
        // The next process goes on where this one was stopped.
        const there = (await lookAt({ id: 'life', store })).length
        for (const step of steps.slice(there)) await step.write({ id: 'life', store })
        expect(await lookAt({ id: 'life', store })).toEqual(names)
      } finally {
        await store.close()
      }
    })

    test(
      `${KILLS} kills at random under load lose nothing that was acknowledged`,
      { timeout: 180_000 + KILLS * 20_000 },
      async () => {
        const url = await place.database()
        const ready = () => readFileSync(join(folder, 'acks'), 'utf8').split('ready').length - 1
        const running: ChildProcess[] = []
        let started = 0
        const start = async () => {
          running.push(run(url, { HC_LIVES: '20' }))
          started += 1
          await until(() => existsSync(join(folder, 'acks')) && ready() >= started)
        }
        for (let i = 0; i < place.programs; i++) await start()
        for (let kill = 0; kill < KILLS; kill++) {
          const before = acknowledged().size
          await until(() => acknowledged().size > before + 5)
          await pause(Math.random() * 100)
          const victim = running.shift()
          if (!victim) throw new Error('Nobody to kill.')
          const end = ended(victim)
          victim.kill('SIGKILL')
          expect(await end).toBe('SIGKILL')
          await start()
        }
        for (const child of running) {
          const end = ended(child)
          child.kill('SIGKILL')
          await end
        }
        const store = await openStore(url)
        try {
          const lives = acknowledged()
          expect(lives.size).toBeGreaterThan(KILLS * 5)
          async function look([id, done]: readonly [string, readonly string[]]): Promise<void> {
            const there = await lookAt({ id, store })
            expect({ id, kept: there.slice(0, done.length) }).toEqual({ id, kept: done })
            // At most the one step that was in flight is there without having been acknowledged.
            expect(there.length - done.length).toBeLessThanOrEqual(1)
          }
          // Some at once: by a hundred kills there are thousands.
          const all = [...lives]
          while (all.length > 0) await Promise.all(all.splice(0, 20).map(look))
        } finally {
          await store.close()
        }
      },
    )
  })
}
