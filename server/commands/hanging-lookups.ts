// The end of the process while the name of a host is being looked up: Node joins the threads of libuv's pool, so it would wait for a resolver that does
// not answer, 20 s and more, and the next companion with it.
import { existsSync } from 'node:fs'

/** Whatever ends the process from now on. On Windows, before Node 22.15 and under `--permission` it waits. */
export function exitDespiteLookups(): void {
  process.once('exit', (code) => {
    const { execve, execPath, platform } = process
    if (execve === undefined || platform === 'win32' || !existsSync(execPath)) return
    if (!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) return
    // What replaces a process waits for none of its threads. Unlike a signal to ourselves it keeps the exit code, and ends the first process of a container.
    try {
      execve(execPath, [execPath, '--eval', `process.exitCode = ${code}`], {})
    } catch {
      // Node's permission model forbids it.
    }
  })
}
