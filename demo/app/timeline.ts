// What just happened: the live list, in plain words or in the developers'.
import { html, render } from 'lit'
import { classMap } from 'lit/directives/class-map.js'
import { repeat } from 'lit/directives/repeat.js'
import type { Happening } from './backend.ts'
import { demo, isTechnical, language } from './demo.ts'
import { pitchLanguage, pitchWord } from './words/index.ts'
import { happeningWord } from './words/timeline.ts'

const list = document.querySelector<HTMLElement>('#happenings')!
const nothing = document.querySelector<HTMLElement>('#nothing')!
/** Which lines have been there before, so that a new one can be marked. */
const shown = new Set<number>()

export function drawTimeline(): void {
  const isFirst = shown.size === 0
  const isPlain = !isTechnical()
  const areMixed = new Set(demo.happenings.map(({ orderId }) => orderId).filter(Boolean)).size > 1
  list.lang = isPlain ? pitchLanguage(language()) : 'en'
  render(
    repeat(demo.happenings, ({ id }) => id, line(isFirst, isPlain, areMixed)),
    list,
  )
  for (const { id } of demo.happenings) shown.add(id)
  nothing.hidden = demo.happenings.length > 0
}

/** @param areMixed the list tells of several orders: each line names its own */
const line = (isFirst: boolean, isPlain: boolean, areMixed: boolean) => (happening: Happening) => {
  const { id, at, source, kind, text, tone, orderId } = happening
  const words = (isPlain ? happeningWord(language(), kind) : undefined) ?? text
  return html`<li data-tone=${tone} class=${classMap({ new: !isFirst && !shown.has(id) })}>
    <div>
      <div class="who">
        <span>${pitchWord(language(), source)}</span>
        <span class="of" translate="no">${(areMixed && orderId) || ''}</span>
        <span>${new Date(at).toLocaleTimeString(language(), { hour12: false })}</span>
      </div>
      <div class="what">${words}</div>
    </div>
  </li>`
}
