// What `import 'hc-checkout-server'` gives: the companion, and the payment service to develop
// against. What believes and decides is not replaceable.
export { createCompanion, type Companion, type CompanionOptions } from './companion.ts'
export { createSandbox, type Sandbox, type SandboxOptions } from 'hc-checkout-sandbox'
