// Which folder may import which, and which may use the machine's globals. It is the map of the code
// base: any other import is refused.

/** One folder or file. The longest `of` that a path begins with is its row. */
export interface ImportRule {
  readonly of: string
  /** What it may import at run time and as types: folders, files, packages, or all of `node:*`. */
  readonly values: readonly string[]
  /** What it may import as types only. */
  readonly types?: readonly string[]
  /** True where clock, timers, random, fetch and process are handed in instead of reached for. */
  readonly pure?: true
}

export const importRules: readonly ImportRule[] = [
  // Leaves: the wire, the one error, what is written down.
  { of: 'server/contract', values: ['zod'], pure: true },
  { of: 'server/platform/private-key.ts', values: ['node:crypto'], pure: true },
  { of: 'server/platform/errors.ts', values: [], types: ['server/contract'], pure: true },
  { of: 'server/platform/logging/logger.ts', values: [], pure: true },
  { of: 'server/platform/service-words.ts', values: [], pure: true },
  { of: 'server/platform/loopback.ts', values: [], pure: true },
  { of: 'server/platform/shop-origins.ts', values: ['server/platform/loopback.ts'], pure: true },
  { of: 'server/deposits/machine/alerts.ts', values: [], types: ['server/deposits/machine/deposit.ts'], pure: true },
  { of: 'server/platform/metrics.ts', values: ['prom-client'], pure: true },
  {
    of: 'server/settings',
    values: [
      'server/contract',
      'server/platform/decode.ts',
      'server/platform/error-code.ts',
      'server/platform/loopback.ts',
      'server/platform/private-key.ts',
      'fastest-levenshtein',
      'zod',
      'node:fs',
      'node:net',
    ],
    pure: true,
  },
  { of: 'server/platform/node-version.ts', values: [], pure: true },
  { of: 'server/platform/own-version.ts', values: ['node:fs'] },
  { of: 'server/platform/logging/scrub.ts', values: [], pure: true },
  { of: 'server/platform/decode.ts', values: [], pure: true },
  { of: 'server/platform/error-code.ts', values: [], pure: true },
  { of: 'server/platform/make-folder.ts', values: ['node:fs', 'node:path'] },
  { of: 'server/platform/clock.ts', values: [], pure: true },
  { of: 'server/platform/retry-after.ts', values: [], pure: true },
  { of: 'server/platform/one-at-a-time.ts', values: [], pure: true },
  { of: 'server/platform/machine.ts', values: [] },
  { of: 'server/platform/listening.ts', values: [], types: ['node:*'] },
  {
    of: 'server/platform/logging',
    values: [
      'server/platform/logging/scrub.ts',
      'server/platform/error-code.ts',
      'pino',
      'sonic-boom',
      'node:async_hooks',
    ],
    types: ['server/platform/logging/logger.ts'],
  },

  // The narrow waist. It knows its neighbours by their ports alone; only these words of them are
  // values.
  {
    of: 'server/deposits',
    values: [
      'server/platform/errors.ts',
      'server/platform/clock.ts',
      'server/platform/one-at-a-time.ts',
      'server/platform/service-words.ts',
      'server/platform/shop-origins.ts',
      'node:crypto',
    ],
    types: [
      'server/deposits/machine/alerts.ts',
      'server/contract',
      'server/platform/logging/logger.ts',
      'server/platform/metrics.ts',
      'server/settings/settings.ts',
      'server/deposits/ports/store.ts',
      'server/deposits/ports/upstream.ts',
    ],
    pure: true,
  },

  // What the people who run it are told: one list of checks, and who looks at it when.
  {
    of: 'server/operations',
    values: [
      'server/platform/clock.ts',
      'server/platform/errors.ts',
      'server/platform/service-words.ts',
      'server/deposits/markets.ts',
      'server/deposits/machine/schedule.ts',
    ],
    types: ['server/deposits', 'server/settings/settings.ts', 'server/notices/outbox.ts', 'server/http/operations.ts'],
    pure: true,
  },

  // What the list finds, told to people: by chat, by mail, by a POST.
  {
    of: 'server/operations/alerts',
    values: [
      'server/operations/troubles.ts',
      'server/notices/post.ts',
      'server/settings/secrets.ts',
      'server/platform/clock.ts',
      'server/platform/decode.ts',
      'server/platform/logging/scrub.ts',
      'server/platform/loopback.ts',
      'server/platform/metrics.ts',
      'nodemailer',
    ],
    types: [
      'server/deposits/machine/alerts.ts',
      'server/deposits/ports/store.ts',
      'server/platform/logging/logger.ts',
      'server/settings/settings.ts',
    ],
    pure: true,
  },

  // The console of the shop's people, loaded when somebody uses it. Its routes are in http/.
  {
    of: 'server/console',
    values: [
      'server/deposits',
      'server/platform/errors.ts',
      'csv-parse/sync',
      'node:crypto',
      'node:timers/promises',
      'node:util',
    ],
    types: ['server/contract', 'server/deposits/ports/store.ts', 'server/settings'],
    pure: true,
  },

  // HTTP in: parse, call one function, answer. Never a store's adapter, never the client of the
  // payment service.
  {
    of: 'server/http',
    values: [
      'server/contract',
      'server/platform/errors.ts',
      'server/platform/clock.ts',
      'server/platform/shop-origins.ts',
      'server/platform/loopback.ts',
      'server/deposits',
      'hono',
      '@hono/node-server',
      'zod',
      'zod-openapi',
      'node:*',
    ],
    types: [
      'server/console',
      'server/platform/logging/logger.ts',
      'server/platform/metrics.ts',
      'server/settings/settings.ts',
      'server/deposits/ports/store.ts',
    ],
    pure: true,
  },
  {
    of: 'server/pages',
    values: [
      'server/contract',
      'server/platform/errors.ts',
      'server/deposits',
      'server/http',
      'hono',
      'node:crypto',
      'hc-checkout/locales',
    ],
    types: ['server/settings/settings.ts', 'server/deposits/ports/store.ts'],
    pure: true,
  },

  // HTTP out: the only place that knows the service's field names. It knows no deposit.
  {
    of: 'server/upstream',
    values: [
      'server/platform/errors.ts',
      'server/platform/error-code.ts',
      'server/platform/clock.ts',
      'server/platform/decode.ts',
      'server/platform/retry-after.ts',
      'server/platform/logging/logger.ts',
      'server/platform/loopback.ts',
      'server/platform/service-words.ts',
      'server/platform/private-key.ts',
      'ky',
      'zod',
      'node:buffer',
      'node:crypto',
      'node:stream/web',
      'node:zlib',
      'undici',
    ],
    types: ['server/contract', 'server/deposits/ports/upstream.ts'],
    pure: true,
  },
  // The outbox reads its rows and knows no deposits.
  {
    of: 'server/notices',
    values: [
      'server/platform/metrics.ts',
      'server/platform/error-code.ts',
      'server/platform/clock.ts',
      'server/platform/retry-after.ts',
      'server/platform/one-at-a-time.ts',
      'standardwebhooks',
      'node:dns',
      'node:dns/promises',
      'node:http',
      'node:https',
      'node:util',
    ],
    types: [
      'server/contract',
      'server/platform/logging/logger.ts',
      'server/settings/settings.ts',
      'server/deposits/ports/store.ts',
      'node:net',
    ],
    pure: true,
  },
  {
    of: 'server/store',
    values: [
      'server/platform/errors.ts',
      'server/platform/decode.ts',
      'server/platform/error-code.ts',
      'server/platform/loopback.ts',
      'server/platform/make-folder.ts',
      'server/platform/node-version.ts',
      'server/platform/logging/logger.ts',
      'server/deposits/machine/phases.ts',
      'server/deposits/machine/search-terms.ts',
      'server/deposits/ports/desk-store.ts',
      'kysely',
      'better-sqlite3',
      'pg',
      'node:*',
    ],
    types: ['server/contract', 'server/deposits/machine/deposit.ts', 'server/deposits/ports/store.ts'],
    pure: true,
  },

  // The other side shares no code with the companion, so that their agreement proves something.
  {
    of: 'demo/sandbox',
    values: ['hono', 'better-sqlite3', 'zod', 'zod-openapi', 'node:*'],
  },

  // Where adapters meet ports.
  {
    of: 'server/app.ts',
    values: ['server/http', 'server/pages', 'server/platform/logging/log.ts', 'server/platform/errors.ts', 'hono'],
    types: ['server'],
    pure: true,
  },
  { of: 'server/options.ts', values: [], types: ['server', 'hono'] },
  { of: 'server/companion.ts', values: ['server'] },
  { of: 'server/index.ts', values: ['server', 'hc-checkout-sandbox'] },
  { of: 'server/open-companion.ts', values: ['server', 'node:*'] },
  { of: 'server/node.ts', values: ['server', '@hono/node-server', 'node:*'] },
  {
    of: 'server/cli',
    values: ['server', 'hc-checkout-client', 'hc-checkout-sandbox', '@hono/node-server', 'node:*'],
  },

  // The element: the wire as types only, Lit, and its own files.
  {
    of: 'widget/legacy',
    values: ['widget/controller/bank-picking.ts', 'widget/locales', 'widget/views'],
    types: ['widget/controller/load-extras.ts'],
  },
  { of: 'widget/locales', values: [] },
  {
    of: 'widget/base/checkout-state.ts',
    values: [],
    types: ['widget/base'],
    pure: true,
  },
  { of: 'widget/base/payment-actions.ts', values: [], types: ['widget/base'], pure: true },
  // What all parts of it stand on; the views show it.
  { of: 'widget/base', values: ['lit'], types: ['server/contract', 'widget/locales'] },
  { of: 'widget/views', values: ['lean-qr', 'lit', 'widget/base'], types: ['server/contract', 'widget/locales'] },
  { of: 'widget/styles', values: ['lit', 'widget/base'] },
  { of: 'widget/client', values: ['widget/base'], types: ['server/contract'] },
  // What runs a checkout: it asks through the client, and hands plain values to the views.
  {
    of: 'widget/controller',
    values: ['lit', 'widget/base', 'widget/client', 'widget/locales', 'widget/styles', 'widget/views'],
    types: ['server/contract'],
  },
  // The merchant's client: the wire as types only. What builds it writes them out.
  { of: 'server/client', values: ['ky', 'standardwebhooks'], types: ['server/contract'] },
  { of: 'server/client/build.ts', values: ['server/client/contract-types.ts', 'node:*'] },
  {
    of: 'server/client/contract-types.ts',
    values: ['server/contract', 'json-schema-to-typescript', 'zod', 'node:fs'],
  },
  { of: 'demo/sandbox/build.ts', values: ['node:*'] },
  { of: 'server/build.ts', values: ['vite', 'widget/build/license-plugin.ts', 'node:*'] },
  { of: 'server/console/build.ts', values: ['vite', 'widget/build/license-plugin.ts', 'node:*'] },
  // The console's pages: they run in a browser and know the companion by its wire alone.
  {
    of: 'server/console/web',
    values: ['server/console/web', 'widget/base/format.ts', 'lit', '@lit/task', 'lean-qr', 'uplot'],
    types: ['server/contract'],
  },
  {
    of: 'widget/build.ts',
    values: [
      'vite',
      'custom-element-jet-brains-integration',
      'custom-element-vs-code-integration',
      'widget/build/build-name.ts',
      'widget/build/bundles.ts',
      'widget/build/element-manifest.ts',
      'widget/build/framework-types.ts',
      'widget/build/license-plugin.ts',
      'node:*',
    ],
    types: ['rollup-plugin-license'],
  },
  { of: 'widget/build/element-manifest.ts', values: [] },
  { of: 'widget/build/framework-types.ts', values: [] },
  { of: 'widget/react.ts', values: ['widget', '@lit/react', 'react'] },
  { of: 'widget/build/build-name.ts', values: ['node:crypto'] },
  { of: 'widget/build/license-plugin.ts', values: ['rollup-plugin-license', 'node:path'], types: ['vite'] },
  { of: 'widget/build/bundles.ts', values: ['widget/build/build-plugins.ts'], types: ['vite'] },
  {
    of: 'widget/build/build-plugins.ts',
    values: ['terser', 'rollup-plugin-minify-template-literals', 'node:*'],
    types: ['vite'],
  },
  { of: 'widget', values: ['lit', 'widget'] },

  // The shop's pages: they know the goods, and the widget by its tag alone.
  {
    of: 'demo/app',
    values: [
      'demo/shop/catalogue.ts',
      'lit',
      'lean-qr',
      'hc-checkout/locales',
      'virtual:widget-weight',
      'virtual:element',
    ],
  },
  {
    of: 'demo/app/vite.config.ts',
    values: ['vite', '@vitejs/plugin-legacy', 'widget/build/element-manifest.ts', 'demo/widget-bundle.ts', 'node:*'],
  },

  // The shop is a merchant: it uses the published packages and nothing else.
  {
    of: 'demo',
    values: [
      'hc-checkout-server/node',
      'hc-checkout-sandbox',
      'hc-checkout-server/contract',
      'hono',
      '@hono/node-server',
      'standardwebhooks',
      'node:*',
    ],
  },
]

/**
 * Adapters: the few files of pure folders where the machine itself is handed over, each with what
 * it takes and why.
 */
export const machineAdapters: readonly {
  readonly file: string
  readonly takes: readonly string[]
  readonly why: string
}[] = [
  {
    file: 'server/upstream/transport.ts',
    takes: ['setTimeout'],
    why: 'names the machine’s timers as the default of a port',
  },
  {
    file: 'server/upstream/client.ts',
    takes: ['globalThis.fetch'],
    why: 'asks whether a fetch of its own was handed in',
  },
  {
    file: 'server/operations/alerts/alerts.ts',
    takes: ['setTimeout'],
    why: 'names the machine’s timers as the default of a port',
  },
  {
    file: 'server/notices/handlers.ts',
    takes: ['setTimeout'],
    why: 'names the machine’s timers as the default of a port',
  },
  {
    file: 'server/notices/post.ts',
    takes: ['globalThis.fetch'],
    why: 'asks whether a fetch of its own was handed in',
  },
  {
    file: 'server/store/sqlite/batcher.ts',
    takes: ['setImmediate'],
    why: 'gathers the writes of one turn of the event loop into one commit, and tidies after it',
  },
  {
    file: 'server/store/sqlite/erasure.ts',
    takes: ['process'],
    why: 'SQLite reads the folder of its temporary files from the environment',
  },
  {
    file: 'server/store/open.ts',
    takes: ['process'],
    why: 'refuses a Node that is too old for the SQLite driver',
  },
  {
    file: 'server/store/postgres/notifications.ts',
    takes: ['setTimeout', 'setImmediate'],
    why: 'reconnects to a database that went away',
  },
  {
    file: 'server/store/postgres/postgres.ts',
    takes: ['Date.now', 'performance.now'],
    why: 'default of a port; patience with a database that went away is real time',
  },
]
