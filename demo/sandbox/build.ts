// Builds the published package: modules and types.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'

const here = import.meta.dirname
rmSync(`${here}/dist`, { recursive: true, force: true })
execFileSync('tsc', ['-p', `${here}/tsconfig.build.json`], { stdio: 'inherit', cwd: here })
