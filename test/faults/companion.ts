// The whole companion as `start` runs it, in a separate process that can be killed, with a clock
// that the test moves by messages.
import { startCompanion } from '../../server/node.ts'

let ahead = 0
// At once, without the last lines of the log: when the test is gone, nobody reads them, and waiting
// for a reader would last for ever.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
const running = await startCompanion(process.env, { now: () => Date.now() + ahead })

process.on('message', (message: { readonly ahead?: number }) => {
  if (message.ahead !== undefined) ahead = message.ahead
})
process.on('SIGTERM', () => void running.close().then(() => process.exit(0)))
process.send?.({ url: running.url })
