// For an audience: the phone with its code, and the presenter's bar. Loaded with the first address
// or press that wants one of them.
import { drawnBy } from './demo.ts'
import { drawPhone } from './phone.ts'
import { drawPresenter } from './presenter.ts'

export { present } from './presenter.ts'

for (const part of [drawPhone, drawPresenter]) drawnBy(part)
