// Re-exports every schema and type that crosses the wire.
export * from './problem.ts'
export * from './market.ts'
export * from './language.ts'
export * from './shop.ts'
export * from './deposit.ts'
export * from './session.ts'
export * from './payment.ts'
export * from './notice.ts'
