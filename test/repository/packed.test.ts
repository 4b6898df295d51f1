// What the documentation has a reader pack: with every package of this repository that those need,
// since npm may not have them yet.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

interface Manifest {
  readonly name: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

test.each(['README.md', 'demo/docs/start.md', 'demo/docs/integrate.md'])(
  '%s packs all that its packages need',
  (page) => {
    const folders = new Map((manifest('').workspaces ?? []).map((folder) => [manifest(folder).name, folder]))
    const [command = ''] = /npm pack .*/.exec(readFileSync(join(root, page), 'utf8')) ?? []
    const packed = [...command.matchAll(/-w (\S+)/g)].map(([, folder = '']) => folder)
    expect(packed).toContain('server')
    const needed = packed.flatMap((folder) => Object.keys(manifest(folder).dependencies ?? {}))
    const missing = needed.flatMap((name) => folders.get(name) ?? []).filter((folder) => !packed.includes(folder))
    expect(missing).toEqual([])
  },
)
