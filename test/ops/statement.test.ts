// The portal's statement as a file: which texts are read, and which are refused rather than
// guessed.
import { describe, expect, it } from 'vitest'
import { parseCsv } from '../../server/console/statement/parse-csv.ts'
import { readAmount, readDate, readStatement } from '../../server/console/statement/statement.ts'

describe('a statement', () => {
  it.each([
    ['2500', '2500'], ['2,500', '2500'], ['2,500.00', '2500'], ['2 500.50', '2500.5'], ['KES 2500', '2500'], ['007', '7'],
    ['1,234.500', '1234.5'], ['12,500', '12500'], ['1,234,567', '1234567'], ['2500.05', '2500.05'], ['2.5000', '2.5'],
    ['2,5', undefined], ['2.500', undefined], ['KES 12.000', undefined], ['1.000,00', undefined], ['-5', undefined], ['1e3', undefined], ['25KES00', undefined], ['2500 KES', undefined], ['', undefined],
  ])('reads the amount %s as %s', (text, amount) => {
    expect(readAmount(text)).toBe(amount)
  }) // prettier-ignore

  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'], ['2024-02-17 13:34:02 PM', '2024-02-17T13:34:02.000Z'], ['2024-02-17 01:34:02 PM', '2024-02-17T13:34:02.000Z'],
    ['2024-02-17 12:34:02 AM', '2024-02-17T00:34:02.000Z'], ['2026-03-01T10:00:00+03:00', '2026-03-01T07:00:00.000Z'], ['01/03/2026', undefined],
    ['2026-02-29', undefined], ['2026-06-31', undefined], ['2028-02-29', '2028-02-29T00:00:00.000Z'], ['2026-13-01', undefined], ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['2024-02-17 12:34:02 PM', '2024-02-17T12:34:02.000Z'], ['2024-02-17 01:34:02 AM', '2024-02-17T01:34:02.000Z'], ['2024-02-17 9:05', '2024-02-17T09:05:00.000Z'],
    ['2026-03-01T10:00:00.250-0130', '2026-03-01T11:30:00.000Z'], ['2026-03-01T10:00:00+0300', '2026-03-01T07:00:00.000Z'],
    ['2026-03-01 10:00 EAT', undefined], ['Sunday 2026-03-01', undefined],
  ])('reads the date %s as %s', (text, date) => {
    expect(readDate(text)).toBe(date === undefined ? undefined : Date.parse(date))
  }) // prettier-ignore

  it('has its dates in UTC where it names no zone, wherever it is read', () => {
    const before = process.env['TZ']
    process.env['TZ'] = 'Africa/Nairobi'
    try {
      expect(new Date('2026-03-01T00:00:00').toISOString()).toBe('2026-02-28T21:00:00.000Z')
      expect(readDate('2026-03-01 00:00:00')).toBe(Date.parse('2026-03-01T00:00:00Z'))
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })

  it.each([
    ['reference', ['Merchant Reference', 'order_reference', 'Client-Reference', 'External Reference', 'Reference No.', 'orderId', 'ref'], 'A1', { reference: 'A1' }],
    ['transactionId', ['Transaction ID', 'transaction_no', 'TrxID', 'txn id', 'serviceId'], 'T1', { transactionId: 'T1' }],
    ['amount', ['Transaction Amount', 'Gross amount', 'value'], '70', { amount: '70' }],
    ['currency', ['Currency Code', 'CCY'], 'TZS', { currency: 'TZS' }],
    ['status', ['Transaction Status', 'state', 'result'], 'Paid', { status: 'SUCCESS' }],
    ['date', ['Transaction Date', 'created_at', 'DateTime', 'time', 'timestamp'], '2026-03-01T10:00Z', { at: { from: Date.parse('2026-03-01T10:00Z'), to: Date.parse('2026-03-01T10:00Z') } }],
  ] as const)('may name its column for %s in the ways of different portals', (column, names, cell, read) => {
    const others = { status: 'PENDING', reference: 'A', transactionId: 'T', amount: '5', currency: 'KES' }
    for (const name of names) {
      const cells = { ...others, [column]: cell }
      const header = Object.keys(cells).map((key) => (key === column ? name : key))
      expect(readStatement([header, Object.values(cells)].map((row) => row.join(',')).join('\n')), name).toEqual([
        expect.objectContaining(read),
      ])
    }
  }) // prettier-ignore

  it.each([
    ['SUCCESS', ['Success', 'Successful', 'succeeded', 'COMPLETED', 'complete', 'paid']],
    ['FAILED', ['Failed', 'failure', 'cancelled', 'Canceled', 'expired', 'rejected', 'declined']],
    ['REVERSED', ['Reversed', 'refunded']],
    ['PENDING', ['Pending', 'processing', 'initiated', 'In-Progress']],
  ])('has for %s the words of different portals', (status, words) => {
    for (const word of words)
      expect(readStatement(`reference,status,amount\nA,${word}`), word).toEqual([{ line: 2, reference: 'A', status }])
  })

  it('may have its columns in any order', () => {
    expect(readStatement('amount,status,reference\n5,Paid,A')).toEqual([
      { line: 2, reference: 'A', status: 'SUCCESS', amount: '5' },
    ])
  })

  it('may leave out the empty cells at the end of a line', () => {
    expect(readStatement('status,reference,amount,date\nPaid,A')).toEqual([
      { line: 2, reference: 'A', status: 'SUCCESS' },
    ])
  })

  it('may have a byte order mark, quotes with commas and line ends in them, semicolons or tabs, and empty lines', () => {
    expect(
      readStatement('\uFEFFReference,STATUS,Note,Amount\r\n\r\nA1,Success,"a, ""b""\r\nc"\r\nA2,failed,\r\n'),
    ).toEqual([
      { line: 3, reference: 'A1', status: 'SUCCESS' },
      { line: 5, reference: 'A2', status: 'FAILED' },
    ])
    expect(readStatement('\n , \nreference,status,amount\nA,Paid,')).toEqual([
      { line: 4, reference: 'A', status: 'SUCCESS' },
    ])
    expect(parseCsv('"a, ""b""\r\nc",d').map(({ cells }) => cells)).toEqual([['a, "b"\nc', 'd']])
    expect(parseCsv('a\tb\n1\t2').map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('may begin with the line of Excel that names the separator, which counts as a line', () => {
    const rows = [{ line: 3, reference: 'A', status: 'SUCCESS', amount: '2500' }]
    expect(readStatement('\uFEFFsep=;\r\nReference;Status;Amount\r\nA;Success;"2,500"\r\n')).toEqual(rows)
    expect(readStatement('"sep=,"\nReference,Status,Amount\nA,Success,2500')).toEqual(rows)
    // Anywhere else it is a text like others.
    expect(readStatement('reference,status,amount,note\nA,Paid,5,sep=;\nB,Paid,6,')).toHaveLength(2)
    // What it says holds against what is more frequent.
    expect(readStatement('sep=,\nreference,status,a;b;c;d;e,amount\nA,Success,x')).toEqual([
      { line: 3, reference: 'A', status: 'SUCCESS' },
    ])
  })

  it('that cannot be read without doubt is refused as a whole', () => {
    expect(() => readStatement('amount,status\n1,SUCCESS')).toThrow(/no column for the reference/)
    expect(() => readStatement('March\n\nreference,status\nA,SUCCESS')).toThrow(/header must be the first line/)
    expect(() => readStatement('reference,amount\nA,1')).toThrow(/no column for the status/)
    expect(() => readStatement('reference,status,Amount (KES)\nA,PAID,1')).toThrow(/no column for the amount/)
    expect(() => readStatement('reference,status,amount\nA,SUCCESS,"2,5"')).toThrow(
      /Line 2: the amount "2,5" .*write it as 2500 or 2500\.00/,
    )
    expect(() => readStatement('reference;status;amount\nA;SUCCESS;2.500')).toThrow(/Line 2: the amount "2.500"/)
    expect(() => readStatement('reference,status,date,amount\nA,SUCCESS,\nB,PAID,31/03/2026')).toThrow(
      /Line 3: the date "31\/03\/2026"/,
    )
    for (const word of ['Settled', 'Réussi', 'APPROVED', ''])
      expect(() => readStatement(`reference,status,amount\nA,SUCCESS\nB,${word}`)).toThrow(
        `Line 3: the status "${word}"`,
      )
    expect(() => readStatement('reference,transaction id,status,amount\nA,T1,SUCCESS\n,T2,')).toThrow(
      /Line 3: the status ""/,
    )
    expect(() => readStatement('reference,status,amount\nA,"SUCC')).toThrow(/cut off/)
    for (const empty of ['', '\uFEFF', '\r\n']) expect(() => readStatement(empty)).toThrow('The statement is empty.')
    for (const nothing of ['', '\n', '\r', '\r\n,\r\n'])
      expect(() => readStatement(`reference,status,amount${nothing}`)).toThrow(/no payment below its header/)
  })

  it('that says a thing twice, and not the same, is refused', () => {
    expect(() => readStatement('reference,status,amount,currency\nA,PAID,TZS 2500,kes')).toThrow(
      'Line 2: the amount "TZS 2500" is not in KES, its currency',
    )
    expect(readStatement('reference,status,amount,currency\nA,PAID,kes 2500,kes')).toMatchObject([{ currency: 'KES' }])
    for (const name of ['reference', 'Status', 'amount', 'Currency', 'date'])
      expect(() => readStatement(`reference,status,amount,currency,date,${name}\nA,PAID,5,KES,2026-03-01,`)).toThrow(
        new RegExp(`two columns "${name}"`, 'i'),
      )
    expect(readStatement('reference,status,amount,note,note,\nA,PAID,5,,,')).toHaveLength(1)
  })

  it('whose commas are not in quotes is refused: an amount of 150,000 would be read as 150, and a name could bring a status', () => {
    for (const text of [
      'reference,status,amount\nA,SUCCESS,150,000',
      'reference,status,amount\nA,SUCCESS,2500,50',
      'reference,name,status,amount\nA,Joe,SUCCESS,2500,FAILED,10',
    ])
      expect(() => readStatement(text), text).toThrow('Line 2 has more cells than the header')
    expect(readStatement('reference,status,amount\nA,SUCCESS,"150,000",,\n')).toMatchObject([{ amount: '150000' }])
  })

  it('whose quotes are not closed is refused: the lines up to the next quote would be passed over', () => {
    const header = 'reference,status,amount,note\n'
    expect(() => readStatement(`${header}A,PAID,5,"a\nB,PAID,5,b\nC,PAID,5,"c\n`)).toThrow(
      'Line 4: text stands beside the quotes around a cell',
    )
    expect(() => readStatement(`${header}A,PAID,5,"a\nB,"PAID",5,6"\nC,PAID,5,`)).toThrow('Line 3: text stands beside')
    for (const written of ['B,PAID,5,6"\nC,PAID,5,c\n', 'B,In progress,5,b\nC,failed,5,6"\n'])
      expect(() => readStatement(`${header}A,PAID,5,"a\n${written}`)).toThrow(
        'A cell of line 2 contains the lines below it',
      )
    const note = '"a, b, c, d\ne, f, g, h ""h"" i"  \n'
    expect(readStatement(`${header}A,PAID,5,${note}B,PAID,6,`)).toMatchObject([{ reference: 'A' }, { reference: 'B' }])
  })

  it.each(['\uFEFF', ''])('in UTF-16 is told how it must be saved (mark: %j)', (mark) => {
    const utf16 = Buffer.from(`${mark}reference\tstatus\tamount\nA\tSUCCESS\t5\n`, 'utf16le')
    for (const bytes of [utf16, Buffer.from(utf16).swap16()])
      expect(() => readStatement(bytes.toString('utf8'))).toThrow(/save it as UTF-8 CSV/)
  })

  it('may end its lines with CR alone, and have a line of totals without reference and status', () => {
    expect(readStatement('reference,status,amount\rA,"Success",5\r"B",In progress,6\r\r,,11\r')).toEqual([
      { line: 2, reference: 'A', status: 'SUCCESS', amount: '5' },
      { line: 3, reference: 'B', status: 'PENDING', amount: '6' },
    ])
  })

  it('may say "Total" where other lines have their date', () => {
    const rows = 'date,reference,status,amount\n2026-03-31,A,PAID,5\n'
    expect(readStatement(`${rows}Total,,,5\n`)).toMatchObject([{ line: 2 }])
    for (const day of ['2026-03-31', '31 Mars', '٣١ مارس'])
      expect(() => readStatement(`${rows}${day},,,5\n`)).toThrow(`Line 3: the date "${day}"`)
  })

  it('is told to have its line of totals removed where "Total" stands in place of a reference, which might be one', () => {
    expect(() => readStatement('reference,status,amount,date\nA,PAID,5,2026-03-31\nTotal,,5,\n')).toThrow(
      'Line 3: the status "" is empty: if it is a line of totals, remove it from the file.',
    )
  })

  it('may have its cells marked as text for a spreadsheet', () => {
    const cells = '="A","=""007""","=""Paid""",="2026-03-31","=""2,500"""'
    expect(readStatement(`reference,transaction id,status,date,amount\n${cells}`)).toMatchObject([
      { reference: 'A', transactionId: '007', status: 'SUCCESS', amount: '2500', at: {} },
    ])
  })

  it('means the whole day by a date without a time, and that moment by one with', () => {
    const [day, moment] = readStatement('reference,status,date,amount\nA,PAID,2026-03-31\nB,PAID,2026-03-31 10:00').map(
      ({ at }) => at,
    )
    expect(day).toEqual({ from: Date.parse('2026-03-31T00:00Z'), to: Date.parse('2026-03-31T23:59:59.999Z') })
    expect(moment).toEqual({ from: Date.parse('2026-03-31T10:00Z'), to: Date.parse('2026-03-31T10:00Z') })
  })
})
