// The wire in one place: every schema and type that crosses a door.
export * from './problem.ts'
export * from './market.ts'
export * from './language.ts'
export * from './deposit.ts'
export * from './session.ts'
export * from './payment.ts'
export * from './notice.ts'
