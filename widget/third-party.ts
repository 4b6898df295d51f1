// Collects the libraries that a build takes into its own files, and their licences, which ask to be passed on with them.
import { globSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

export function createThirdParty(): { readonly plugin: Plugin; readonly licenses: () => string } {
  /** Folder by name. */
  const packages = new Map<string, string>()
  return {
    plugin: {
      name: 'third-party',
      generateBundle(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          for (const id of chunk.moduleIds) {
            const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replace(/^\0/, '')) ?? []
            if (folder !== undefined && name !== undefined) packages.set(name, folder)
          }
        }
      },
    },
    licenses: () =>
      [...packages]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, folder]) => {
          const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<
            string,
            string
          >
          const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder })
          const text =
            file === undefined ? `Licensed under ${license}.` : readFileSync(`${folder}/${file}`, 'utf8').trim()
          return `${name} ${version}\n\n${text}\n`
        })
        .join(`\n${'-'.repeat(80)}\n\n`),
  }
}
