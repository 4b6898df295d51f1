// Element tests: every step of <hc-checkout> in a real browser, `HC_BROWSER` = chromium (default),
// firefox or webkit.
import { fileURLToPath } from 'node:url'
import { esbuildPlugin } from '@web/dev-server-esbuild'
import { chromeLauncher } from '@web/test-runner-chrome'
import { webkitLauncher } from './test/engines/webkit-launcher.ts'
import { chromiumArgs, chromiumPath } from './test/helpers/chromium.ts'
import { freePort } from './test/helpers/free-port.ts'
import { runningElementTests } from './test/helpers/running-element-tests.ts'

const engine = process.env.HC_BROWSER ?? 'chromium'

async function launcher() {
  if (engine === 'webkit') return webkitLauncher()
  if (engine !== 'chromium' && engine !== 'firefox')
    throw new Error(`HC_BROWSER=${engine}: the element tests have no launcher for it`)
  if (engine === 'firefox')
    return chromeLauncher({
      launchOptions: { browser: 'firefox', executablePath: process.env.HC_BROWSER_PATH ?? '/usr/bin/firefox-esr' },
      // Its pages share what they store.
      concurrency: 1,
    })
  return chromeLauncher({
    launchOptions: { executablePath: await chromiumPath(), args: chromiumArgs },
    // Files that run beside each other would find in the storage what the other has put there.
    createPage: async ({ browser }) => (await browser.createBrowserContext()).newPage(),
  })
}

export default {
  files: 'test/element/**/*.test.ts',
  nodeResolve: { exportConditions: ['hc-source', 'browser', 'development'] },
  plugins: [
    runningElementTests(),
    esbuildPlugin({ ts: true, tsconfig: fileURLToPath(new URL('./widget/tsconfig.json', import.meta.url)) }),
  ],
  browsers: [await launcher()],
  // On every machine alike, not half its cores: the tests mostly wait.
  concurrency: 4,
  // The runner itself takes the first free port from 8000 on: two that start at once would choose
  // the same.
  port: await freePort(),
  // A busy machine is slow, not wrong.
  browserStartTimeout: 180_000,
  testsStartTimeout: 180_000,
  // A file of the slowest tests needs a minute. Longer than this one hangs, and the runner names
  // it.
  testsFinishTimeout: 300_000,
  testFramework: { config: { timeout: 60_000 } },
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
}
