// Request headers that tracing and monitoring tools add to every call of a page. Of them the
// companion reads `traceparent` alone (traceparent.ts); but a preflight that refuses one fails the
// whole call, and the customer would read of a lost connection.

/** In lower case; `*` at the end stands for any rest. */
const HARMLESS = [
  // W3C Trace Context and Baggage: OpenTelemetry and most others.
  'traceparent', 'tracestate', 'baggage',
  // Sentry
  'sentry-trace',
  // Datadog
  'x-datadog-*',
  // Zipkin
  'b3', 'x-b3-*',
  // New Relic
  'newrelic', 'x-newrelic-*',
  // Elastic APM
  'elastic-apm-traceparent',
  // Jaeger
  'uber-trace-id', 'uberctx-*',
  // Google Cloud, AWS X-Ray, Azure Application Insights
  'x-cloud-trace-context', 'x-amzn-trace-id',
  'request-id', 'request-context', 'x-ms-request-id', 'x-ms-request-root-id',
  // Dynatrace, AppDynamics, Instana, SkyWalking, Honeycomb, OpenTracing
  'x-dtpc', 'x-dtreferer', 'x-dynatrace', 'adrum', 'adrum_*', 'x-instana-*', 'sw8', 'x-honeycomb-trace',
  'ot-tracer-*', 'x-ot-span-context',
  // Recorders of sessions: PostHog, LogRocket, Highlight, OpenReplay
  'x-posthog-*', 'x-logrocket-url', 'x-highlight-request', 'x-openreplay-*',
  // Ids of a request that proxies and logs know.
  'x-request-id', 'x-correlation-id', 'x-trace-id', 'x-span-id', 'x-client-trace-id',
] as const // prettier-ignore

const names = new Set<string>(HARMLESS.filter((name) => !name.endsWith('*')))
const beginnings = HARMLESS.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))

/** @param name in lower case */
export function isTracingHeader(name: string): boolean {
  return names.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
}
