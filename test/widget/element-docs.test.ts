// The documentation for editors (the docstring of the element's class, from which custom-elements.json is made) matches widget.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

const source = readFileSync(join(root, 'widget/hc-checkout.ts'), 'utf8')
const page = readFileSync(join(root, 'demo/docs/widget.md'), 'utf8')
const [comment = ''] = /\/\*\*\n \* A checkout[^]*?\*\//.exec(source) ?? []

/** What a tag names, one a line: the analyzer reads no second one on it. */
const told = (tag: string) =>
  [...comment.matchAll(new RegExp(`^ \\* @${tag} (?:\\{.*?\\} )?\\[?([\\w-]+)`, 'gm'))]
    .map(([, name = '']) => name)
    .toSorted()
/** The words in backticks of a part of the page. */
const said = (text: string | undefined, word: RegExp) =>
  [...(text ?? '').matchAll(word)].map(([, name = '']) => name).toSorted()

test('the tag, each event, part and token', () => {
  expect(told('tag')).toEqual(['hc-checkout'])
  expect(told('event')).toEqual(said(page.split('## Events')[1]?.split('## ')[0], /^\| `(hc-[\w-]+)`/gm))
  expect(told('csspart')).toEqual(said(/Parts for [^]*?Slots/.exec(page)?.[0], /`([a-z-]+)`/g))
  expect(told('cssproperty')).toEqual(said(page, /^\| `(--hc-[\w-]+)`/gm))
})
