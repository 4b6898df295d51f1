// The flags that the program sets for V8: on this Node they still have the effect for which they are set.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MODULE = fileURLToPath(new URL('../../server/commands/v8.ts', import.meta.url))

/** Runs a hot function after `before`, and returns what V8 says of its compilation. */
function compilationsOf(before: string): string[] {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { letV8Grow, prepareV8 } from ${JSON.stringify(MODULE)}
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const youngSize = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size
    let kept = []
    async function putUnderLoad() {
      const end = Date.now() + 120_000
      while (youngSize() < 24 * 1024 * 1024 && Date.now() < end) {
        kept = Array.from({ length: 50_000 }, (_, n) => ({ n }))
        await pause(0)
      }
      await pause(20)
    }
    prepareV8()
    ${before}
    function hot(value) { return { value }.value + 1 }
    let sum = 0
    for (let n = 0; n < 60; n++) {
      for (let i = 0; i < 100; i++) sum += hot(i)
      await pause(0)
    }
    console.log('young', youngSize(), sum + kept.length)
  `
  // Compiled on the spot: on a busy machine a thread that compiles beside the program is not done when it ends, and then says nothing.
  const flags = ['--trace-opt', '--no-concurrent-recompilation']
  const said = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return said.split('\n').filter((line) => /completed compiling .*<JSFunction hot |^young /.test(line))
}

test('under load a hot function is compiled by TurboFan alone', () => {
  const lines = compilationsOf('letV8Grow(); await putUnderLoad()')
  expect(lines.filter((line) => line.includes('MAGLEV'))).toEqual([])
  expect(lines.filter((line) => line.includes('TURBOFAN'))).toHaveLength(1)
  expect(lines.at(-1)).toMatch(/^young 25165824 /)
})

test('without load TurboFan waits as long as V8 makes it wait', () => {
  const lines = compilationsOf('letV8Grow()')
  expect(lines).toEqual([expect.stringContaining('MAGLEV'), expect.stringMatching(/^young /)])
})
