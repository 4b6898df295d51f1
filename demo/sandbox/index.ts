// What the package exports: the service, and the facts that a program around it needs.
export { isLoopback } from './engine/payment-request.ts'
export { LANGUAGES } from './checkout/texts/index.ts'
export { CURRENCIES } from './engine/markets.ts'
export type { MerchantSeed } from './engine/merchant-seed.ts'
export { createSandbox, type Sandbox, type SandboxLogger, type SandboxOptions } from './sandbox.ts'
export { phoneOf, type Scenario, SCENARIOS } from './engine/scenarios.ts'
