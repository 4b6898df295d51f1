// What every view of the console is: a Lit element without a shadow root, so that one linked style
// sheet dresses all of them in browsers that have no adopted style sheets, under a policy that
// allows no inline style.
import { LitElement } from 'lit'
import type { App } from './app.ts'
import type { Words } from '../words/index.ts'
import type { StoryWords } from '../words/en-story.ts'

export abstract class View extends LitElement {
  static override properties = { app: { attribute: false } }
  declare app: App

  override createRenderRoot(): this {
    return this
  }

  get t(): Words {
    return this.app.words
  }

  get story(): StoryWords {
    return this.app.story
  }
}
