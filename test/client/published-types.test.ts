// The types that the published client has are those of the contract, to the last optional field,
// and need no zod.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { contractTypes } from '../../server/client/contract-types.ts'
import { bin, root, run } from '../helpers/run-quietly.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Fields with a default: what is sent and what is read differ. */
const SENT_OTHERWISE: Readonly<Record<string, string>> = { PaymentQuery: 'limit', CreateLink: 'expiresIn' }

async function compile(made: string): Promise<{ code: number; differ: string[] }> {
  const source = readFileSync(join(root, 'server/client/contract.ts'), 'utf8')
  const [, list = ''] = /export type \{([^}]*)\}/.exec(source) ?? []
  const names = list.match(/\w+/g) ?? []
  expect(names.length).toBeGreaterThan(15)
  const same = names.map((name) => {
    const field = SENT_OTHERWISE[name]
    return field === undefined
      ? `export const a${name}: Same<Made.${name}, Contract.${name}> = true`
      : `export const a${name}: Same<Omit<Made.${name}, '${field}'>, Omit<Contract.${name}, '${field}'>> = true`
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'made.ts'), made)
  writeFileSync(
    join(folder, 'same.ts'),
    `import type * as Made from './made.ts'
import type * as Contract from '${root}/server/contract/index.ts'
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never
${same.join('\n')}
`,
  )
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: `${root}/tsconfig.json`,
      // zod writes an optional field with undefined.
      compilerOptions: { exactOptionalPropertyTypes: false, types: [], typeRoots: [] },
      include: ['*.ts'],
    }),
  )
  const { code, output } = await run(bin('tsc'), ['-p', folder])
  const lines = readFileSync(join(folder, 'same.ts'), 'utf8').split('\n')
  const faults = output.split('\n').filter((line) => line.includes('error'))
  // The type of that line, or what the compiler says where it is another fault.
  const differ = faults.map((fault) => {
    const [, line = ''] = /same\.ts\((\d+),\d+\): error TS2322/.exec(fault) ?? []
    return /const a(\w+):/.exec(lines[Number(line) - 1] ?? '')?.[1] ?? fault
  })
  return { code, differ }
}

it('each type is the contract’s own', async () => {
  const made = await contractTypes()
  expect(made).not.toMatch(/zod|import/)
  expect(await compile(made)).toEqual({ differ: [], code: 0 })
})

it('a field that is missing, or of another type, is noticed', async () => {
  const made = await contractTypes()
  const { differ } = await compile(
    made.replace('clientReference?: string', '').replace('minimum?: number', 'minimum?: string'),
  )
  expect(differ).toEqual(['Notice', 'ProblemIssue'])
})
