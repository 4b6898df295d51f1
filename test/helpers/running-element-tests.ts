// The same for web-test-runner: each test of an element says to the runner that it begins, before
// it does anything else.
import type { TestRunnerPlugin } from '@web/test-runner'
import { createRunningList } from './running-tests.ts'

const ADDRESS = '/hc-running'

/**
 * Sent and answered before the test goes on: what is sent later never leaves a page that hangs. On
 * one line, so that all others keep their numbers.
 */
const says = (file: string): string =>
  [
    '{ const Request = XMLHttpRequest;',
    'const say = (event, { currentTest }) => {',
    `const request = new Request(); request.open('POST', '${ADDRESS}', false);`,
    `request.send(JSON.stringify([event, ${JSON.stringify(file)} + ' > ' + (currentTest ? currentTest.fullTitle() : '')])) };`,
    "beforeEach(function () { say('begin', this) }); afterEach(function () { say('end', this) }) }",
  ].join(' ')

export function runningElementTests(): TestRunnerPlugin {
  const list = createRunningList()
  return {
    name: 'running-tests',
    transform(context) {
      if (!context.path.endsWith('.test.ts') || typeof context.body !== 'string') return undefined
      return { body: `${says(context.path)} ${context.body}` }
    },
    async serve(context) {
      if (context.path !== ADDRESS) return undefined
      let text = ''
      for await (const chunk of context.req) text += String(chunk)
      const [event, name] = JSON.parse(text) as ['begin' | 'end', string]
      list[event](name)
      return { body: '' }
    },
  }
}
