// No source of the widget calls a method that the oldest browser lacks: the build translates
// syntax, and adds no methods.
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** But for what runs at the build, not in a browser. */
const sources = globSync('widget/**/*.ts', { exclude: ['widget/dist/**', 'widget/build/**', 'widget/build.ts'] })

/** Methods that came after Chromium 64. AbortController is used only where there is one. */
const newer = new RegExp(
  String.raw`\.(at|flat|flatMap|replaceAll|matchAll|trimStart|trimEnd|findLast|findLastIndex|toSorted|toReversed` +
    '|toSpliced|replaceChildren|toggleAttribute|requestSubmit|randomUUID|getAnimations|checkVisibility' +
    String.raw`|togglePopover|showPopover|hidePopover|arrayBuffer|setHTMLUnsafe|moveBefore|isWellFormed)\??\.?\(` +
    String.raw`|\b(Object\.(fromEntries|hasOwn|groupBy)|Promise\.(allSettled|any|try|withResolvers)` +
    String.raw`|Array\.fromAsync|AbortSignal\.(timeout|any|abort)|URL\.(canParse|parse)` +
    String.raw`|(structuredClone|queueMicrotask|reportError)\(` +
    '|WeakRef|FinalizationRegistry|Intl\\.(ListFormat|RelativeTimeFormat|Segmenter))',
  'g',
)

it('looks at what runs in the browser, and knows the methods', () => {
  expect(sources).toContain('widget/views/form.ts')
  expect('ranked.flat() && Object.fromEntries(rows)'.match(newer)).toEqual(['.flat(', 'Object.fromEntries'])
})

it.each(sources)('%s calls no method that came after Chromium 64', (name) => {
  expect(readFileSync(name, 'utf8').match(newer)).toBeNull()
})

it.each(sources)('%s binds no boolean attribute, which Lit sets by a method that came after Chromium 64', (name) => {
  expect(readFileSync(name, 'utf8').match(/\s\?[a-z]+=\$\{/)).toBeNull()
})
