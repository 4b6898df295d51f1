// Looks into a running Node process through its inspector: memory after a collection, how full its
// maps and sets are, its heap by constructor.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Counts of a process after a garbage collection; all but `heap` and `rss` should stand still under
 * a steady load.
 */
export type Counts = Readonly<Record<string, number>>

export interface Inspected {
  /** Collects garbage first. */
  counts(): Promise<Counts>
  /** Number of objects of the heap by constructor, after a collection. */
  heap(): Promise<ReadonlyMap<string, number>>
  close(): void
}

interface Reply {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly chunk?: string }
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
}

interface Remote {
  readonly objectId: string
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] }
  }
  readonly nodes: readonly number[]
  readonly strings: readonly string[]
}

const OF_PROCESS = `(() => {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  const counts = { heap: heapUsed, external, arrayBuffers }
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
})()`

/** Of an array of maps or sets. */
const FILLED = `function () {
  const sizes = this.filter((each) => Object.hasOwn(each, 'constructor') === false).map((each) => each.size).sort((a, b) => b - a)
  return { count: sizes.length, entries: sizes.reduce((sum, size) => sum + size, 0), largest: sizes[0] ?? 0 }
}`

/** @param url of the inspector, as the process printed it */
export async function inspect(url: string, pid: number): Promise<Inspected> {
  const socket = new WebSocket(url)
  const asked = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  let chunks: string[] = []
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data)) as Reply
    if (method === 'HeapProfiler.addHeapSnapshotChunk') chunks.push(params?.chunk ?? '')
    if (id === undefined) return
    const waiting = asked.get(id)
    asked.delete(id)
    if (error === undefined) waiting?.resolve(result ?? {})
    else waiting?.reject(new Error(error.message))
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })

  function send<T>(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<T> {
    const answer = Promise.withResolvers<Record<string, unknown>>()
    asked.set((last += 1), answer)
    socket.send(JSON.stringify({ id: last, method, params }))
    return answer.promise as Promise<T>
  }

  async function valueOf<T>(expression: string): Promise<T> {
    return (await send<{ result: { value: T } }>('Runtime.evaluate', { expression, returnByValue: true })).result.value
  }

  async function filled(kind: 'Map' | 'Set'): Promise<Counts> {
    const objectGroup = 'soak'
    const prototype = await send<{ result: Remote }>('Runtime.evaluate', {
      expression: `${kind}.prototype`,
      objectGroup,
    })
    const { objects } = await send<{ objects: Remote }>('Runtime.queryObjects', {
      prototypeObjectId: prototype.result.objectId,
      objectGroup,
    })
    const { result } = await send<{ result: { value: Record<string, number> } }>('Runtime.callFunctionOn', {
      objectId: objects.objectId,
      functionDeclaration: FILLED,
      returnByValue: true,
    })
    await send('Runtime.releaseObjectGroup', { objectGroup })
    return Object.fromEntries(Object.entries(result.value).map(([name, count]) => [`${kind} ${name}`, count]))
  }

  return {
    async counts() {
      // What finalizers release is free only after the next.
      for (let times = 0; times < 3; times++) await send('HeapProfiler.collectGarbage')
      const rss = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
      return {
        rss,
        files: readdirSync(`/proc/${pid}/fd`).length,
        ...(await valueOf<Counts>(OF_PROCESS)),
        ...(await filled('Map')),
        ...(await filled('Set')),
      }
    },
    async heap() {
      chunks = []
      await send('HeapProfiler.collectGarbage')
      await send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
      const { snapshot, nodes, strings } = JSON.parse(chunks.join('')) as Snapshot
      chunks = []
      const { node_fields: fields, node_types: types } = snapshot.meta
      const counts = new Map<string, number>()
      for (let at = 0; at < nodes.length; at += fields.length) {
        const kind = types[0][nodes[at] ?? 0] ?? ''
        // Each text and number is a name of its own.
        const isNamed = kind === 'object' || kind === 'closure' || kind === 'native'
        const name = isNamed ? `${kind} ${strings[nodes[at + 1] ?? 0]}`.slice(0, 80) : kind
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      return counts
    },
    close: () => socket.close(),
  }
}
