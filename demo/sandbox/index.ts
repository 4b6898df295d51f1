// What the package exports: the service, and the facts that a program around it needs.
export { isLoopback } from './payment-request.ts'
export { LANGUAGES } from './checkout-texts.ts'
export { CURRENCIES } from './markets.ts'
export type { MerchantSeed } from './merchant-seed.ts'
export { createSandbox, type Sandbox, type SandboxLogger, type SandboxOptions } from './sandbox.ts'
export { phoneOf, type Scenario, SCENARIOS } from './scenarios.ts'
