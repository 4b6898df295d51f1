// The sandbox's reading of JSON: texts of numbers are kept, and what two readers could see
// differently is refused.
import { describe, expect, it } from 'vitest'
import { NumberText, readJson } from '../../demo/sandbox/engine/json-text.ts'

const read = (text: string) => readJson(new TextEncoder().encode(text))
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('the JSON of a request', () => {
  it.each(['0', '-0', '2500', '2500.00', '1e3', '12345678901234567890', '1e999'])('keeps the number %s', (text) => {
    expect(read(`{"amount": ${text} }`)).toEqual(new Map([['amount', new NumberText(text)]]))
  })

  it('keeps the values of every kind and any name', () => {
    expect(read('{"__proto__":{"a":[true,null,"é"]},"10":false}')).toEqual(
      new Map<string, unknown>([
        ['10', false],
        ['__proto__', new Map([['a', [true, null, 'é']]])],
      ]),
    )
  })

  it.each(['{"amount":1,"amount":2}', '{"amount":1,"\\u0061mount":2}'])('counts the last of two keys: %s', (text) => {
    expect(read(text)).toEqual(new Map([['amount', new NumberText('2')]]))
  })

  it.each([
    ['', 'Unexpected text'],
    ['{"secret":', 'Unexpected text'],
    ['{"secret":1,}', 'Unexpected text'],
    ['{"secret":01}', 'Unexpected text'],
    ['\ufeff{}', 'Unexpected text'],
    ['{"a":"\\ud800"}', 'Half of a surrogate pair'],
    ['{"\\udc00":1}', 'Half of a surrogate pair'],
    [nested(18), 'Nested too deep'],
    [nested(20_000), 'Nested too deep'],
  ])('refuses %.20j, and repeats nothing of it', (text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'JsonTextError', message }))
  })

  it('takes seventeen levels', () => {
    expect(() => read(nested(17))).not.toThrow()
  })

  it('refuses broken UTF-8', () => {
    expect(() => readJson(new Uint8Array([0x22, 0xff, 0x22]))).toThrow('Broken UTF-8')
  })
})
