// The files that are mutated, each group with the tests that must notice.

export interface Group {
  readonly files: readonly string[]
  readonly tests: readonly string[]
}

/**
 * The money files: which callbacks are believed, what becomes of a deposit, and what is sent to the
 * service and to the shop.
 */
export const GROUPS: readonly Group[] = [
  {
    files: ['callback', 'callback-body', 'flat-json', 'bind', 'amount', 'sign'].map(
      (name) => `server/upstream/${name}.ts`,
    ),
    tests: ['callback', 'callback-body', 'flat-json', 'bind', 'amount', 'forgeries', 'sign'].map(
      (name) => `test/upstream/${name}.test.ts`,
    ),
  },
  { files: ['server/upstream/recut.ts'], tests: ['test/upstream/recut.test.ts'] },
  {
    files: ['phases', 'decide', 'steps', 'query-answers', 'transition', 'endings', 'schedule'].map(
      (name) => `server/deposits/machine/${name}.ts`,
    ),
    tests: ['written', 'written-query', 'decide', 'transitions'].map((name) => `test/money/${name}.test.ts`),
  },
  { files: ['server/upstream/breaker.ts'], tests: ['test/upstream/breaker.test.ts'] },
  { files: ['server/upstream/login.ts'], tests: ['test/upstream/login.test.ts'] },
  {
    files: ['sessions', 'order-sessions', 'session-terms'].map((name) => `server/deposits/merchant/${name}.ts`),
    tests: [
      'money/session-terms',
      'money/order-sessions',
      'money/one-order',
      'server/shop',
      'server/console-desk',
      'server/traceparent',
    ].map((name) => `test/${name}.test.ts`),
  },
  {
    files: ['server/notices/outbox.ts'],
    tests: ['test/notices/outbox.test.ts', 'test/notices/handlers.test.ts', 'test/server/traceparent.test.ts'],
  },
]
