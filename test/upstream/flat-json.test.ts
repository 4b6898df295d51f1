// The reader of flat JSON: what it preserves, and how it refuses.
import { describe, expect, it, vi } from 'vitest'
import { readFlatJson } from '../../server/upstream/flat-json.ts'
import { bytes } from './material.ts'

describe('flat JSON', () => {
  it('keeps texts, lexemes and words apart, in the order received', () => {
    const reading = readFlatJson(bytes('{"b":"x","a":1.00,"c":null,"":""}'), 4)
    expect(reading.ok && [...reading.fields]).toEqual([
      ['b', { kind: 'string', text: 'x' }],
      ['a', { kind: 'number', text: '1.00' }],
      ['c', { kind: 'word', text: 'null' }],
      ['', { kind: 'string', text: '' }],
    ])
  })

  it.each(['{ "a" : [ 1 , { } ] , "b" : [ ] }', '{\n\t"a": [\r\n1,\n2\n],\n"b":\n{\n}\n}'])(
    'white space may stand wherever JSON lets it, also within what is nested: %j',
    (nested) => {
      const reading = readFlatJson(bytes(`{"x":${nested},"last":1}`), 2)
      expect(reading.ok && [...reading.fields]).toEqual([
        ['x', { kind: 'nested', text: '' }],
        ['last', { kind: 'number', text: '1' }],
      ])
    },
  )

  // JSON.parse reads names and values in one go, so that no two readings of one body exist: neither
  // for the hash nor for a field.
  it.each([
    ['{"a":1.00,"a":2.0}', 'number', '2.0'],
    ['{"a":"x","a":2.00}', 'number', '2.00'],
    ['{"a":2.00,"a":"x"}', 'string', 'x'],
    ['{"a":{"a":1.0},"a":2.00}', 'number', '2.00'],
    ['{"a":2.00,"a":{"a":1.0}}', 'nested', ''],
    ['{"a":null,"\\u0061":-0}', 'number', '-0'],
  ])('the last of two equal names counts, as it was written: %s', (text, kind, written) => {
    const reading = readFlatJson(bytes(text), 1)
    expect(reading.ok && [...reading.fields]).toEqual([['a', { kind, text: written }]])
  })

  it('a name that JavaScript uses itself is a name like any other', () => {
    const reading = readFlatJson(bytes('{"__proto__":1.00,"__proto__":2.00,"constructor":3.0}'), 2)
    expect(reading.ok && [...reading.fields].map(([name, { text }]) => [name, text])).toEqual([
      ['__proto__', '2.00'],
      ['constructor', '3.0'],
    ])
  })

  it.each(['{"\\u0000":1}', '{"a":{"b\\ud800":1}}', '{"a":"\\u0000"}', '{"a":["\\udfff"]}'])(
    'no name and no string holds what UTF-8 cannot hold or a hash would not see: %s',
    (text) => {
      expect(readFlatJson(bytes(text), 2)).toEqual({ ok: false, reason: 'not_json' })
    },
  )

  it('a value may lie 32 levels deep, and no deeper', () => {
    const deep = (levels: number) => bytes(`{"x":${'['.repeat(levels)}1${']'.repeat(levels)}}`)
    expect(readFlatJson(deep(32), 1)).toMatchObject({ ok: true })
    expect(readFlatJson(deep(33), 1)).toEqual({ ok: false, reason: 'too_large' })
  })

  it.each([[], [{}]])(
    'an engine that does not tell how a number was written reads none, rather than another text than was hashed',
    (...told) => {
      const parse = JSON.parse.bind(JSON)
      const spy = vi
        .spyOn(JSON, 'parse')
        .mockImplementation((text, revive) =>
          parse(text, (name, value) => revive && (Reflect.apply(revive, {}, [name, value, ...told]) as unknown)),
        )
      const reading = readFlatJson(bytes('{"amount":1.00}'), 1)
      spy.mockRestore()
      expect(reading).toEqual({ ok: false, reason: 'not_json' })
    },
  )

  it.each([
    ['x', 'not_json'],
    ['[]', 'not_flat'],
    ['{"a":1,"b":1}', 'too_large'],
  ])('says no to %s and nothing else: %s', (text, reason) => {
    expect(readFlatJson(bytes(text), reason === 'too_large' ? 1 : 2)).toEqual({ ok: false, reason })
  })
})
