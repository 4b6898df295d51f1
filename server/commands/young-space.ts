// The room for short-lived objects. Loading the program fills it with garbage once, and V8 would keep the room that this took for good.
import { setFlagsFromString } from 'node:v8'

/** For the time of loading: collected more often instead of grown. */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** For the work: V8's own default, with which it grows under load and only then. */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
