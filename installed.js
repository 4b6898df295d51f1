// Stops with the reason where the installation is not complete, instead of a stack trace. `npm ci`
// brings the Node that runs TypeScript, and writes its own lock file last.
import { existsSync } from 'node:fs'

const isWhole = existsSync(new URL('node_modules/.package-lock.json', import.meta.url))
if (!isWhole || !process.features.typescript) {
  const found = isWhole
    ? `This is Node ${process.version}, which does not run TypeScript.`
    : 'It was interrupted, or never run.'
  process.stderr.write(
    `The installation is not complete. ${found}\nRun \`npm ci\` to its end; it brings the Node that this repository runs on.\n`,
  )
  process.exit(1)
}
