// What stands below the shop, and the pictures of the other shops: loaded when the goods can be
// bought.
import { keepPictures } from './art.ts'
import { drawCode } from './code-panel.ts'
import { drawnBy } from './demo.ts'
import { drawScenarios } from './scenarios.ts'
import { drawTimeline } from './timeline.ts'

keepPictures(
  import.meta.glob<string>(['./art/kampala/*.svg', './art/dakar/*.svg'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)
for (const part of [drawScenarios, drawTimeline, drawCode]) drawnBy(part)
