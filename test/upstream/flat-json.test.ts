// The strict parser of flat JSON: what it preserves, and how it refuses.
import { describe, expect, it } from 'vitest'
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

  it.each([
    ['x', 'not_json'],
    ['[]', 'not_flat'],
    ['{"a":1,"a":1}', 'duplicate_field'],
    ['{"a":1,"b":1}', 'too_large'],
  ])('says no to %s and nothing else: %s', (text, reason) => {
    expect(readFlatJson(bytes(text), reason === 'too_large' ? 1 : 2)).toEqual({ ok: false, reason })
  })
})
