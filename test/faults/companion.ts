// The whole companion as `start` runs it, in a process of its own that can be killed, with a clock that the test moves by messages.
import { startCompanion } from '../../server/node.ts'

let ahead = 0
const running = await startCompanion(process.env, { now: () => Date.now() + ahead })

process.on('message', (message: { readonly ahead?: number }) => {
  if (message.ahead !== undefined) ahead = message.ahead
})
process.on('disconnect', () => process.exit(1))
process.on('SIGTERM', () => void running.close().then(() => process.exit(0)))
process.send?.({ url: running.url })
