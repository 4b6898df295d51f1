// Metrics of a running companion: a small port for the parts, and its adapter for Prometheus.
// No label carries a reference, a payer detail or any other high-cardinality value.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

const COUNTERS = {
  http_requests: { help: 'Requests answered.', labels: ['route', 'status'] },
  deposits_created: { help: 'Deposits, by the outcome of the create call.', labels: ['currency', 'outcome'] },
  deposits_moved: { help: 'Changes of phase.', labels: ['phase', 'currency'] },
  webhook_received: { help: 'Genuine callbacks, by outcome.', labels: ['verdict'] },
  webhook_refused: { help: 'Callbacks that were refused.', labels: ['reason'] },
  upstream_calls: { help: 'Calls to the payment service.', labels: ['call', 'outcome'] },
  upstream_budget: {
    help: 'Requests for the shared budget, by whether they were granted.',
    labels: ['purpose', 'granted'],
  },
  notices: { help: 'Attempts to tell the merchant.', labels: ['outcome'] },
  alerts: { help: 'Alerts raised, told or not.', labels: ['kind'] },
  rate_limited: { help: 'Requests answered 429.', labels: ['route'] },
  streams_cut: { help: 'Event streams ended from our side.', labels: ['reason'] },
  store_conflicts: { help: 'Changes rejected because another writer was first.', labels: ['kind'] },
  store_failures: { help: 'Store calls that failed.', labels: ['call'] },
  faults: { help: 'Unexpected errors.', labels: ['where'] },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>

const DURATIONS = {
  http: {
    help: 'Time until the answer was ready.',
    labels: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  upstream: {
    help: 'Time of one call to the payment service.',
    labels: ['call'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  },
  notice: {
    help: "Time of one attempt at the merchant's backend.",
    labels: ['outcome'],
    buckets: [0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  },
  settle: {
    help: 'Time from the creation of a deposit to its end.',
    labels: ['phase'],
    buckets: [10, 30, 60, 120, 300, 900, 3600, 86_400, 604_800],
  },
} as const satisfies Record<string, { help: string; labels: readonly string[]; buckets: readonly number[] }>

const GAUGES = {
  deposits: { help: 'Deposits that have not ended, by phase.', labels: ['phase'] },
  notices_waiting: { help: 'Notices not yet delivered.', labels: [] },
  notices_dead: { help: 'Notices given up after 30 days; send them again by hand.', labels: [] },
  inbox_unmatched: { help: 'Genuine callbacks for a reference that is not known.', labels: [] },
  oldest_due: { help: 'Seconds the longest waiting deposit is overdue for its query.', labels: [] },
  streams_open: { help: 'Event streams open.', labels: [] },
  upstream_up: { help: '1 while the payment service answers.', labels: [] },
  ready: { help: '1 while /readyz is green.', labels: [] },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>

type Labels<Row extends { labels: readonly string[] }> = { readonly [Label in Row['labels'][number]]?: string }
export type CounterName = keyof typeof COUNTERS
export type DurationName = keyof typeof DURATIONS
export type GaugeName = keyof typeof GAUGES

export interface Metrics {
  count<Name extends CounterName>(name: Name, labels?: Labels<(typeof COUNTERS)[Name]>, by?: number): void
  /** `seconds`, not milliseconds. */
  observe<Name extends DurationName>(name: Name, seconds: number, labels?: Labels<(typeof DURATIONS)[Name]>): void
  gauge<Name extends GaugeName>(name: Name, value: number, labels?: Labels<(typeof GAUGES)[Name]>): void
}

export interface PrometheusMetrics extends Metrics {
  /** Calls `refresh` before each read, to set gauges. If it rejects, the old values stay. */
  beforeRead(refresh: () => Promise<void>): void
  /** Body of `GET /metrics`. */
  read(): Promise<string>
}

/** Counts nothing; for tests and as the default of embedded parts. */
export const silentMetrics: Metrics = { count() {}, observe() {}, gauge() {} }

/**
 * Exports `hc_<name>_total`, `hc_<name>_seconds` and `hc_<name>`, and memory, event loop and
 * garbage collection of the process.
 */
export function createMetrics(): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'hc_' })
  // Gauges with the name of a counter, of which `promtool check metrics` complains; each is the sum
  // of one that stays.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`hc_nodejs_active_${what}_total`)
  const registers = [registry]
  const counters = mapValues(
    COUNTERS,
    (name, { help, labels }) => new Counter({ name: `hc_${name}_total`, help, labelNames: labels, registers }),
  )
  const durations = mapValues(
    DURATIONS,
    (name, { help, labels, buckets }) =>
      new Histogram({ name: `hc_${name}_seconds`, help, labelNames: labels, buckets: [...buckets], registers }),
  )
  const gauges = mapValues(
    GAUGES,
    (name, { help, labels }) => new Gauge({ name: `hc_${name}`, help, labelNames: labels, registers }),
  )
  const refreshes: (() => Promise<void>)[] = []
  return {
    count: (name, labels = {}, by = 1) => counters[name].inc(labels, by),
    observe: (name, seconds, labels = {}) => durations[name].observe(labels, seconds),
    gauge: (name, value, labels = {}) => gauges[name].set(labels, value),
    beforeRead: (refresh) => void refreshes.push(refresh),
    async read() {
      await Promise.allSettled(refreshes.map((refresh) => refresh()))
      return registry.metrics()
    },
  }
}

function mapValues<Key extends string, In, Out>(
  rows: Record<Key, In>,
  make: (key: Key, row: In) => Out,
): Record<Key, Out> {
  return Object.fromEntries(Object.entries<In>(rows).map(([key, row]) => [key, make(key as Key, row)])) as Record<
    Key,
    Out
  >
}
