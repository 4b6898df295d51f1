// What is needed only when something goes wrong: loaded together with its texts.
export { fieldFault } from './field-fault.ts'
export { blockedView, otherWay } from './views/blocked.ts'
export { supportLine } from './views/support.ts'
