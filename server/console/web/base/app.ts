// What the shell hands to every view: who is signed in, the doors, words and ways of writing, and
// where to go.
import type { Me } from '../../../contract/index.ts'
import type { Api } from './api.ts'
import type { Drafts } from './drafts.ts'
import type { Format } from './format.ts'
import type { Live } from './live.ts'
import type { Route } from './router.ts'
import type { Language } from '../words/index.ts'
import type { Words } from '../words/index.ts'
import type { StoryWords } from '../words/en-story.ts'

/**
 * What the list of payments is asked for, kept while the console is open, so that "back" leads to
 * the same list.
 */
export interface Wish {
  readonly search: string
  readonly by?: string
  readonly phase: string
  readonly country: string
  readonly fromDay: string
  readonly toDay: string
  /** Cursors of the pages before, the present one last; empty on the first page. */
  readonly pages: readonly string[]
}

export const NO_WISH: Wish = { search: '', phase: '', country: '', fromDay: '', toDay: '', pages: [] }

/** Where in the list a payment was opened, so that "back" leads to it. */
export interface Place {
  /** The list. */
  readonly wish: Wish
  /** The row, and how far below the top of the screen it was. */
  readonly href: string
  readonly below: number
  /** How far the page was scrolled: where the row has left the list. */
  readonly scrolled: number
}

export interface App {
  readonly language: Language
  readonly words: Words
  readonly story: StoryWords
  readonly format: Format
  readonly me: Me
  readonly api: Api
  readonly live: Live
  readonly drafts: Drafts
  wish: Wish
  place: Place | undefined
  /** Says it to everybody, screen readers too. */
  say(text: string): void
  /** What the present view is about, for the title of its tab. */
  about(text: string): void
  go(route: Route): void
}

export const mayAct = ({ me }: App): boolean => me.role !== 'viewer'
export const isOwner = ({ me }: App): boolean => me.role === 'owner'
