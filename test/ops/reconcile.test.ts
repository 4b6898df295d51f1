// `reconcile` with payments at known times: it reports agreement only for a statement that it has
// fully understood.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compare } from '../../server/console/statement/compare.ts'
import { runCommand } from '../../server/cli/run-command.ts'
import { openStore } from '../../server/store/open.ts'
import { depositRecord } from '../helpers/deposit-record.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-reconcile-'))
const url = `file:${join(folder, 'companion.db')}`
const reference = (n: number) => `HCL${String(n).padStart(21, '0')}`
const [first, last, failed] = [reference(1), reference(2), reference(3)]

beforeAll(async () => {
  const store = await openStore(url)
  const rows = [
    { phase: 'succeeded', reference: first, transactionId: 'T1', createdAt: Date.parse('2026-03-01T10:00:00Z') },
    { phase: 'succeeded', reference: last, transactionId: 'T2', createdAt: Date.parse('2026-03-31T15:00:00Z') },
    { phase: 'failed', reference: failed, createdAt: Date.parse('2026-03-15T15:00:00Z') },
  ] as const
  for (const row of rows) {
    const record = depositRecord({ id: `dep_${row.reference}`, amount: 2500, mode: 'live', ...row })
    await store.apply({ deposit: { row: record, expect: 'new' } })
  }
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const reconcile = (lines: readonly string[], ...options: string[]) =>
  reconcileFile(['reference,amount,currency,status,date', ...lines], ...options)

const reconcileFile = (content: readonly string[], ...options: string[]) =>
  reconcileBytes(Buffer.from(content.join('\n')), ...options)

async function reconcileBytes(content: Buffer, ...options: string[]) {
  const file = join(folder, 'portal.csv')
  writeFileSync(file, content)
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const code = await runCommand(['reconcile', '--statement', file, ...options], {
    env: { HC_DATABASE_URL: url },
    out: say,
    err: say,
    fetch: globalThis.fetch,
    now: Date.now,
    stopped: () => new Promise(() => {}),
  })
  return { code, said: said.join('\n') }
}

it('agrees with a statement of the same payments, by days alone', async () => {
  const { code, said } = await reconcile([
    `${first},2500,KES,SUCCESS,2026-03-01`,
    `${failed},2500,KES,PENDING,2026-03-15`,
    `${last},2500,KES,SUCCESS,2026-03-31`,
  ])
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('2026-03-31T23:59:59.999Z') })
})

it('finds a success of the last day that the statement lacks, when its dates have no time', async () => {
  const { code, said } = await reconcile([
    `${first},2500,KES,SUCCESS,2026-03-01`,
    `${reference(9)},10,KES,FAILED,2026-03-31`,
  ])
  expect({ code, said }).toEqual({
    code: 1,
    said: expect.stringMatching(new RegExp(`^extra +${last} +2500 KES succeeded here, not in the statement\n`)),
  })
})

it('finds a success of the last millisecond of a day, in the statement of that day alone', async () => {
  const store = await openStore(url)
  const at = Date.parse('2026-05-05T23:59:59.999Z')
  const row = depositRecord({ phase: 'succeeded', reference: reference(77), transactionId: 'T77', createdAt: at })
  await store.apply({ deposit: { row, expect: 'new' } })
  await store.close()
  const day = async (date: string) => reconcile([`${reference(9)},10,KES,FAILED,${date}`], '--from', date, '--to', date)
  expect(await day('2026-05-05')).toMatchObject({ code: 1, said: expect.stringContaining(reference(77)) as string })
  expect(await day('2026-05-06')).toMatchObject({ code: 0 })
})

it('says of which mode an extra success is: a database may hold both, and a statement only one', async () => {
  const store = await openStore(url)
  for (const [n, mode] of [
    [81, 'live'],
    [82, 'test'],
  ] as const) {
    const at = Date.parse('2026-06-01T10:00:00Z')
    const row = depositRecord({
      phase: 'succeeded',
      reference: reference(n),
      transactionId: `T${n}`,
      createdAt: at,
      mode,
    })
    await store.apply({ deposit: { row, expect: 'new' } })
  }
  await store.close()
  const { code, said } = await reconcile([`${reference(9)},10,KES,FAILED,2026-06-01`])
  expect(code).toBe(1)
  expect(said).toMatch(new RegExp(`^extra +${reference(81)} +1500 KES succeeded here, not in the statement$`, 'm'))
  expect(said).toMatch(
    new RegExp(`^extra +${reference(82)} +1500 KES succeeded here in test mode, not in the statement$`, 'm'),
  )
})

it('finds a success between the last line of a day and the first of the next, in the statement of its day', async () => {
  const [evening, morning] = ['2026-03-31 14:00:00', '2026-04-01 00:10:00']
  const [one, next] = [
    await reconcile([`${reference(8)},10,KES,FAILED,2026-03-31 09:00:00`, `${reference(9)},10,KES,FAILED,${evening}`]),
    await reconcile([`${reference(9)},10,KES,FAILED,${morning}`]),
  ]
  expect(one).toEqual({ code: 1, said: expect.stringMatching(new RegExp(`^extra +${last}`)) })
  expect(one.said).toContain(
    '2026-03-31T00:00:00.000Z to 2026-03-31T23:59:59.999Z (--from and --to not given: whole days, UTC).',
  )
  expect(next).toMatchObject({ code: 0, said: expect.stringContaining('2026-04-01T00:00:00.000Z to 2026-04-01T23:59') })
  // A day as the service's own zone has it lies in two of ours.
  const nairobi = await reconcile([
    `${reference(9)},10,KES,FAILED,2026-03-31 00:10:00+03:00`,
    `${last},,,SUCCESS,${evening}`,
  ])
  expect(nairobi.said).toContain('2026-03-30T00:00:00.000Z to 2026-03-31T23:59:59.999Z')
})

it('finds a success of the first day before the first line of the statement', async () => {
  const { code, said } = await reconcile([`${reference(9)},10,KES,FAILED,2026-03-01 23:00:00`])
  expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(new RegExp(`^extra +${first}`)) })
})

it('keeps a day that is given as it is given, and makes whole only the one that is not', async () => {
  const lines = [`${reference(9)},10,KES,FAILED,2026-03-31 14:00:00`]
  const spans = [
    [
      ['--from', '2026-03-31 14:30'],
      '2026-03-31T14:30:00.000Z to 2026-03-31T23:59:59.999Z (--to not given: whole days, UTC).',
    ],
    [
      ['--to', '2026-03-31 14:30'],
      '2026-03-31T00:00:00.000Z to 2026-04-01T14:29:59.999Z (--from not given: whole days, UTC).',
    ],
    [['--from', '2026-03-31 14:30', '--to', '2026-04-02'], '2026-03-31T14:30:00.000Z to 2026-04-02T23:59:59.999Z.'],
  ] as const
  for (const [options, span] of spans) expect((await reconcile(lines, ...options)).said).toContain(span)
})

it('finds money that went back after it was credited, whichever line is first', async () => {
  const paid = `${first},2500,KES,SUCCESS,2026-03-01`
  for (const word of ['REVERSED', 'Refunded']) {
    const back = `${first},2500,KES,${word},2026-03-01`
    for (const [lines, line] of [[[paid, back], 3], [[back, paid], 2], [[back], 2]] as const) {
      expect(await reconcile(lines)).toEqual({
        code: 1,
        said: expect.stringMatching(new RegExp(`^different +${first} +reversed in line ${line} of the statement, succeeded here`)),
      })
    }
  }
}) // prettier-ignore

it('finds money that went back for a payment that is not known here, whichever line is first', async () => {
  const unknown = reference(99)
  const paid = `${unknown},2500,KES,SUCCESS,2026-03-01`
  const back = `${unknown},2500,KES,REVERSED,2026-03-01`
  const day = ['--from', '2026-06-01', '--to', '2026-06-01']
  expect(await reconcile([back], ...day)).toMatchObject({
    code: 1,
    said: expect.stringMatching(`^different +${unknown} +reversed 2500 KES in line 2, not known here\n`) as string,
  })
  for (const [lines, p, r] of [[[paid, back], 2, 3], [[back, paid], 3, 2]] as const)
    expect(await reconcile(lines, ...day)).toMatchObject({
      code: 1,
      said: expect.stringMatching(
        `^missing +${unknown} +paid 2500 KES in line ${p}, not known here; reversed 2500 KES in line ${r}\n`,
      ) as string,
    })
}) // prettier-ignore

it('says of a payment that failed here, and was paid and given back there, both: it must not be credited', async () => {
  const lines = [`${failed},2500,KES,SUCCESS,2026-03-15`, `${failed},2500,KES,REVERSED,2026-03-15`]
  for (const [either, line] of [
    [lines, 3],
    [lines.toReversed(), 2],
  ] as const)
    expect(await reconcile(either)).toEqual({
      code: 1,
      said: expect.stringMatching(
        `^different +${failed} +paid in the statement, failed here; reversed in line ${line} of the statement, failed here\n`,
      ),
    })
  // What never was paid and went back is no difference to what failed here.
  expect(await reconcile(lines.slice(1))).toMatchObject({ code: 0 })
})

it('compares with the database of --env-file, not with that of the environment', async () => {
  const file = join(folder, 'other.env')
  const other = join(folder, 'other.db')
  writeFileSync(file, `HC_DATABASE_URL=file:${other}\n`)
  const lines = [`${first},2500,KES,SUCCESS,2026-03-01`]
  expect(await reconcile(lines)).toMatchObject({ code: 0 })
  expect(await reconcile(lines, '--env-file', file)).toMatchObject({ code: 2, said: expect.stringContaining(other) })
  await (await openStore(`file:${other}`)).close()
  expect(await reconcile(lines, '--env-file', file)).toMatchObject({ code: 1, said: expect.stringMatching('^missing') })
})

it('says of a statement that is not there, or a folder, that it cannot be read', async () => {
  const read = (path: string) => reconcile([], '--statement', path)
  expect(await read(join(folder, 'away.csv'))).toEqual({
    code: 2,
    said: expect.stringMatching(/away\.csv cannot be read \(ENOENT\)\./),
  })
  expect(await read(folder)).toMatchObject({ code: 2, said: expect.stringContaining('cannot be read (EISDIR)') })
})

it('finds money that went back without a reference, and says whose transaction it was', async () => {
  const paid = `${first},T1,2500,KES,SUCCESS,2026-03-01`
  const { code, said } = await reconcileFile([
    'reference,transaction id,amount,currency,status,date',
    paid,
    ',T1,2500,KES,REVERSED,2026-03-01',
  ])
  expect({ code, said }).toEqual({
    code: 1,
    said: expect.stringMatching(
      /^different +\(no reference\) +reversed 2500 KES \(T1\) in line 3, without a reference/,
    ),
  })
})

it.each([
  ['the statement has paid', 'SUCCESS', 3, 'paid in the statement, failed here'],
  ['the statement has as failed', 'FAILED', 1, 'failed in the statement, succeeded here'],
  ['the statement has as not final', 'PENDING', 1, 'not final in the statement, succeeded here'],
] as const)('finds a payment that we know with another status: one that %s', async (_what, status, n, says) => {
  expect(await reconcile([`${reference(n)},2500,KES,${status},2026-03-15`], '--from', '2026-03-15')).toEqual({
    code: 1,
    said: expect.stringMatching(new RegExp(`^different +${reference(n)} +${says}\n`)),
  })
})

it('counts a reference on several lines as paid if any line is, whichever is first', async () => {
  const lines = [`${failed},2500,KES,FAILED,2026-03-15`, `${failed},2500,KES,SUCCESS,2026-03-15`]
  for (const either of [lines, lines.toReversed()])
    expect(await reconcile(either)).toEqual({
      code: 1,
      said: expect.stringMatching(new RegExp(`^different +${failed} +paid in the statement, failed here\n`)),
    })
})

it('finds a payment that the statement has with another transaction', async () => {
  const read = (transaction: string) =>
    reconcileFile(['reference,amount,transaction id,status,date', `${first},2500,${transaction},SUCCESS,2026-03-01`])
  expect(await read('T1')).toMatchObject({ code: 0 })
  expect(await read('')).toMatchObject({ code: 0 })
  expect(await read('T9')).toMatchObject({
    code: 1,
    said: expect.stringContaining('transaction T9 in the statement, T1 here') as string,
  })
})

it('finds each success that the statement lacks, however many there are', async () => {
  const store = await openStore('file::memory:')
  const at = Date.parse('2026-03-01T10:00:00Z')
  // More than two pages of the store, some of them within one millisecond.
  for (let n = 0; n < 1100; n += 100) {
    const rows = Array.from({ length: 100 }, (_, i) =>
      depositRecord({ phase: 'succeeded', transactionId: `T${n + i}`, createdAt: at + n }),
    )
    await Promise.all(rows.map((row) => store.apply({ deposit: { row, expect: 'new' } })))
  }
  // On SQLite nothing else is served between two reads, unless the comparison lets it.
  let turns = 0
  const turn = () => void ((turns += 1), (next = setImmediate(turn)))
  let next = setImmediate(turn)
  const differences = await compare([], store, { from: at, to: at + 1100 })
  clearImmediate(next)
  expect(turns).toBeGreaterThan(1)
  expect(differences.every(({ paymentId }) => paymentId !== undefined)).toBe(true)
  const few = compare([], store, { from: at, to: at + 1100 }, undefined, 1099)
  await expect(few).rejects.toThrow('More than 1099 differences')
  await store.close()
  expect(differences.filter(({ kind }) => kind === 'extra')).toHaveLength(1100)
  expect(new Set(differences.map((each) => each.reference)).size).toBe(1100)
})

it('prints one line for each difference, whatever characters the statement has', async () => {
  const { code, said } = await reconcile([`"X\n0 differences\u001b[1A\u001b[2K",2500,KES,SUCCESS,2026-03-15`])
  expect(code).toBe(1)
  const lines = said.split('\n')
  expect(lines.filter((line) => !/^(missing|extra) |^1 line of the statement/.test(line))).toEqual([])
  expect(said).not.toContain('\u001b')
})

it('gives the same as one JSON object with --json', async () => {
  const { code, said } = await reconcile([`${reference(9)},10,KES,SUCCESS,2026-03-15`], '--json')
  expect(code).toBe(1)
  expect(JSON.parse(said)).toEqual({
    rows: 1,
    span: { from: Date.parse('2026-03-15T00:00:00Z'), to: Date.parse('2026-03-15T23:59:59.999Z') },
    differences: [
      {
        kind: 'missing',
        reference: reference(9),
        facts: [{ code: 'paid_unknown', values: { money: '10 KES', line: '2' } }],
        says: 'paid 10 KES in line 2, not known here',
      },
    ],
  })
})

it.each(['--from', '--to'])(
  'refuses a day that it cannot read, instead of taking those of the file: %s',
  async (day) => {
    expect(await reconcile([`${first},2500,KES,SUCCESS,2026-03-01`], day, '01/03/2026')).toMatchObject({
      code: 2,
      said: expect.stringContaining(`${day} must be a date such as 2026-03-01`) as string,
    })
  },
)

it('knows a reference of ours in small letters, or marked as text: it would be called missing, and credited once more', async () => {
  for (const written of [first.toLowerCase(), `'${first}`, `="${first}"`, `\u200b${first}\u200b`])
    expect(await reconcile([`${written},2500,KES,SUCCESS,2026-03-01`]), written).toMatchObject({ code: 0 })
  const paid = '2500,KES,SUCCESS,2026-03-01'
  expect(await reconcile([`${first},${paid}`, `${first.toLowerCase()},${paid}`])).toMatchObject({
    code: 1,
    said: expect.stringContaining(`${first}  paid twice in the statement (lines 2 and 3)`) as string,
  })
  // Another's, or more than a reference, stays as it is.
  for (const other of ['order-1', `${first}0`, `${first} ${last}`])
    expect(await reconcile([`${other},${paid}`, `${first},${paid}`]), other).toMatchObject({
      code: 1,
      said: expect.stringContaining(`${other}  paid 2500 KES in line 2, not known here`) as string,
    })
})

it('reads a currency before an amount where there is no column for it', async () => {
  const head = 'reference,amount,status,date'
  const read = async (amount: string) => reconcileFile([head, `${first},${amount},SUCCESS,2026-03-01`])
  for (const amount of ['KES 2500', 'kes2500', 'Ksh 2500', '2500'])
    expect(await read(amount), amount).toMatchObject({ code: 0 })
  for (const other of ['TZS', 'USD', 'ZAR'])
    expect(await read(`${other} 2500`)).toMatchObject({
      code: 1,
      said: expect.stringContaining(`currency ${other} in the statement, KES here`) as string,
    })
})

it('calls no statement right whose amounts it cannot compare', async () => {
  const paid = [`${first},1,SUCCESS,2026-03-01`]
  expect(await reconcileFile(['reference,Amount (KES),status,date', ...paid])).toEqual({
    code: 2,
    said: expect.stringMatching(/^The statement has no column for the amount; known names are amount, /),
  })
  expect(await reconcile([`${first},,KES,SUCCESS,2026-03-01`])).toEqual({
    code: 1,
    said: expect.stringMatching(new RegExp(`^different +${first} +no amount in line 2 of the statement\n`)),
  })
})

it('finds money that came without a reference, each line of it', async () => {
  const { code, said } = await reconcile([
    `${first},2500,KES,SUCCESS,2026-03-01`,
    ',90000,KES,SUCCESS,2026-03-01',
    ',10,KES,FAILED,2026-03-01',
    ',70,,PAID,2026-03-01',
  ])
  expect(code).toBe(1)
  expect(said).toMatch(
    /^missing +\(no reference\) +paid 90000 KES in line 3, without a reference\nmissing +\(no reference\) +paid 70 in line 5, without/,
  )
  expect(said).toContain('2 differences')
})

it('says nothing about a statement with a word for paid that it does not know', async () => {
  expect(await reconcile([`${first},2500,KES,SUCCESS,2026-03-01`, `${failed},2500,KES,APPROVED,2026-03-02`])).toEqual({
    code: 2,
    said: expect.stringMatching(/^Line 3: the status "APPROVED" is not one of success, /),
  })
})

it('takes a line for totals only when it is of no day: with a date it may be money that came', async () => {
  const paid = `${first},2500,KES,SUCCESS,2026-03-01`
  expect(await reconcile([paid, ',90000,KES,,2026-03-01'])).toEqual({
    code: 2,
    said: expect.stringMatching(
      /^Line 3: the date "2026-03-01" stands without a status, a reference and a transaction id/,
    ),
  })
  expect(await reconcile([paid, ',2500,KES,,'])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^1 line of the statement, 0 differences/),
  })
})

const MARCH = ['--from', '2026-03-01', '--to', '2026-03-31']

it.each([
  ['is empty', [`${first},2500,KES,SUCCESS,2026-03-01`, `${last},2500,KES,SUCCESS,`], 'Line 3 has no date'],
  ['is empty at money without a reference', [`${first},2500,KES,SUCCESS,2026-03-01`, ',70,KES,PAID,'], 'Line 3 has no'],
  ['is always empty', [`${first},2500,KES,SUCCESS,`, `${last},2500,KES,SUCCESS,`], 'No line of the statement has a'],
])(
  'compares nothing by guessed days when the date %s, and says which line and what to give',
  async (_how, lines, says) => {
    // One half of the comparison may not end as the whole: neither with 0, nor as JSON without a
    // difference.
    for (const options of [[], ['--json'], MARCH.slice(0, 2), MARCH.slice(2)])
      expect(await reconcile(lines, ...options)).toEqual({
        code: 2,
        said: expect.stringMatching(new RegExp(`^${says}.* give --from and --to\\.\\n`)),
      })
    expect((await reconcile(lines, ...MARCH)).code).toBe(lines.some((line) => line.startsWith(',')) ? 1 : 0)
  },
)

it('takes a statement without a column for dates with both days given, and not without', async () => {
  const file = ['reference,status,amount', `${first},SUCCESS,2500`]
  expect(await reconcileFile(file)).toMatchObject({ code: 2, said: expect.stringContaining('give --from and --to') })
  expect(await reconcileFile(file, ...MARCH)).toMatchObject({
    code: 1,
    said: expect.stringMatching(new RegExp(`^extra +${last}`)),
  })
})

it('says nothing about an empty statement, or days that end before they begin', async () => {
  expect(await reconcile([])).toMatchObject({ code: 2, said: expect.stringContaining('no payment below its header') })
  expect(await reconcile([`${first},2500,KES,SUCCESS,`], '--from', '2026-03-31', '--to', '2026-03-01')).toMatchObject({
    code: 2,
    said: expect.stringContaining('--from and --to'),
  })
})

it.each(['latin1', 'utf16le'] as const)('stops at a statement in %s, and says how to save it', async (encoding) => {
  const text = `reference,amount,currency,status,date,name\n${first},2500,KES,SUCCESS,2026-03-01,Zoë\n`
  const { code, said } = await reconcileBytes(Buffer.from(text, encoding))
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('is not UTF-8 text') })
  expect(said).toMatch(
    encoding === 'latin1' ? /Windows-1252.* in line 2: save it as UTF-8/ : /UTF-16.*save it as UTF-8/,
  )
  expect(said).not.toContain(first)
})
