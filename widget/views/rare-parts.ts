// What is needed only when something goes wrong: loaded together with its texts.
export { fieldFault } from '../base/field-fault.ts'
export { blockedView, otherWay } from './blocked.ts'
export { supportBelow, supportLine } from './support.ts'
