// `npm run bench:widget`: the widget against Adyen Drop-in and a bare Lit form, interleaved, on a
// slow phone and network. Prints medians with their spread, ratios and goals. Options: --rounds 5,
// --only load|list, --strict (a missed goal fails), --why (what shifted).
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { chromiumArgs, chromiumPath } from '../../helpers/chromium.ts'
import { banks } from './bank-list.ts'
import { ADYEN, buildAll } from './builds.ts'
import { KBIT, LATENCY_MS, measureField, measureList, measureLoad, SLOWER } from './measure.ts'
import type { List, Load } from './measure.ts'
import { openSites } from './sites.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'load,list' },
    strict: { type: 'boolean', default: false },
    why: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const loads = { blank: [], bare: [], ours: [], adyen: [] } as Record<'blank' | 'bare' | 'ours' | 'adyen', Load[]>
const lists = { ours: [], 'adyen-list': [] } as Record<'ours' | 'adyen-list', List[]>
/** Keystrokes in a field without listeners. */
const bareKeys: number[] = []

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
function median(numbers: readonly number[]): number {
  const all = sorted(numbers)
  return ((all[Math.floor((all.length - 1) / 2)] ?? 0) + (all[Math.ceil((all.length - 1) / 2)] ?? 0)) / 2
}
/** `median (minimum-maximum)`. */
function spread(numbers: readonly number[], digits = 0): string {
  const all = sorted(numbers)
  return `${median(all).toFixed(digits)} (${all[0]?.toFixed(digits)}-${all.at(-1)?.toFixed(digits)})`
}

let missed = 0
function goal(what: string, reached: number, most: number): void {
  const fits = reached <= most
  if (!fits) missed++
  console.log(`${fits ? 'reached' : 'SHORT  '}  ${what}: ${reached.toFixed(2)} (goal: at most ${most.toFixed(2)})`)
}

const sites = await openSites(await buildAll((line) => console.log(line)))
const browser = await chromium.launch({
  executablePath: await chromiumPath(),
  // Requests of Adyen's script to its own hosts fail at once, at no cost to it.
  args: [...chromiumArgs, '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
})
try {
  console.log(
    `Chromium ${browser.version()}, processor slowed ${SLOWER} times, ${KBIT} kbit/s, ${LATENCY_MS} ms, nothing cached; Adyen Web ${ADYEN}.`,
  )
  console.log(`${rounds} rounds, interleaved: median (least-most). ${banks.banks.length} banks.`)
  if ((loadavg()[0] ?? 0) > availableParallelism())
    console.log('This machine is busy: read the ratios, not the milliseconds.')
  for (let round = 0; round < rounds; round++) {
    if (values.only.includes('load'))
      for (const name of ['blank', 'bare', 'ours', 'adyen'] as const)
        loads[name].push(await measureLoad(browser, name, sites.address(name)))
    if (values.only.includes('list')) {
      for (const name of ['ours', 'adyen-list'] as const)
        lists[name].push(await measureList(browser, name, sites.address(name)))
      bareKeys.push(...(await measureField(browser, sites.address('field'))).map((key) => key.fromInput))
    }
  }
} finally {
  await browser.close()
  sites.close()
}

const of = (name: keyof typeof loads, figure: (load: Load) => number) => median(loads[name].map(figure))
if (loads.ours.length > 0) {
  const blankHeap = of('blank', (load) => load.heap)
  console.log('\nA cold load')
  console.table(
    Object.fromEntries(
      Object.entries(loads).map(([name, all]) => [
        name,
        {
          'usable ms': spread(all.map((load) => load.usable)),
          'blocking ms': spread(all.map((load) => load.blocking)),
          'all tasks ms': spread(all.map((load) => load.work)),
          'layout shift': spread(
            all.map((load) => load.shift),
            3,
          ),
          'heap above blank kB': Math.round((of(name as 'ours', (load) => load.heap) - blankHeap) / 1024),
          'kB on the wire': Number((of(name as 'ours', (load) => load.bytes) / 1000).toFixed(1)),
          'requests (before usable)': `${of(name as 'ours', (load) => load.requests)} (${of(name as 'ours', (load) => load.requestsFirst)})`,
        },
      ]),
    ),
  )
  console.log('The banks come with Adyen’s script here; a shop asks its own server for them first, and waits for that.')
  if (values.why) console.log(loads.ours.flatMap((load) => load.moved))
  const usable = of('ours', (load) => load.usable)
  const heap = (name: 'ours' | 'adyen') => of(name, (load) => load.heap) - blankHeap
  goal('usable, of Adyen', usable / of('adyen', (load) => load.usable), 0.5)
  goal('usable, of the bare Lit form', usable / of('bare', (load) => load.usable), 1.35)
  goal('blocking, of Adyen', of('ours', (load) => load.blocking) / of('adyen', (load) => load.blocking), 0.2)
  goal('heap above a blank page, of Adyen', heap('ours') / heap('adyen'), 0.3)
  goal('layout shift', Math.max(...loads.ours.map((load) => load.shift)), 0)
}

if (lists.ours.length > 0) {
  console.log(`\nThe list of ${banks.banks.length} banks; network not slowed`)
  console.table(
    Object.fromEntries(
      Object.entries(lists).map(([name, all]) => [
        name,
        {
          'first rows ms': spread(all.map((list) => list.first)),
          'all rows ms': spread(all.map((list) => list.all)),
          rows: median(all.map((list) => list.rows)),
          'key to paint ms': spread(
            all.flatMap((list) => list.keys.map((key) => key.fromKey)),
            1,
          ),
          'changed text to paint ms': spread(
            all.flatMap((list) => list.keys.map((key) => key.fromInput)),
            1,
          ),
          'the slowest ms': spread(
            all.map((list) => Math.max(...list.keys.map((key) => key.fromInput))),
            1,
          ),
          'the whole form ms': name === 'ours' ? spread(all.map((list) => list.form)) : '',
        },
      ]),
    ),
  )
  console.log(
    'Ours: the answer in hand, list open, then scrolled. Adyen’s: the data in hand, its component created and opened.',
  )
  const list = (name: keyof typeof lists, figure: (one: List) => number) => median(lists[name].map(figure))
  const keys = (name: keyof typeof lists) => median(lists[name].flatMap((one) => one.keys.map((key) => key.fromInput)))
  const adyen = list('adyen-list', (one) => one.all)
  goal('banks from data to paint, of Adyen’s list', list('ours', (one) => one.first) / adyen, 0.2)
  goal('a keystroke’s changed text to paint, of Adyen’s', keys('ours') / keys('adyen-list'), 0.45)
  const bare = median(bareKeys)
  const above = (keys('ours') - bare) / (keys('adyen-list') - bare)
  console.log(
    `         of it ${bare.toFixed(1)} ms are the browser’s own, measured in a field that nothing listens to; above them ${above.toFixed(2)} of Adyen’s.`,
  )
}
if (values.strict && missed > 0) process.exitCode = 1
