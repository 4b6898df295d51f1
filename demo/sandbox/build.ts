// Builds the published package: modules and types.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'

const here = import.meta.dirname
rmSync(`${here}/dist`, { recursive: true, force: true })
execFileSync('tsc', ['-p', `${here}/tsconfig.build.json`], { stdio: 'inherit', cwd: here })
// For generators of clients, which have no sandbox to ask.
const { describeService } = (await import(`${here}/dist/service/openapi.js`)) as {
  describeService: (url: string) => object
}
writeFileSync(
  `${here}/dist/openapi.json`,
  `${JSON.stringify(describeService('http://127.0.0.1:8788'), undefined, 2)}\n`,
)
