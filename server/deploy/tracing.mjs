// Loads OpenTelemetry before the companion: monitor.md says how. What is imported here is installed
// beside the companion, which does not depend on it.
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { NodeSDK } from '@opentelemetry/sdk-node'

// Whoever knows the address of a payment's page or callback can use it: no trace shows it.
const withoutKeys = (address = '/') => address.split('?')[0].replace(/^(\/pay|\/v1\/webhook)\/[^/]+/, '$1/-')

const sdk = new NodeSDK({
  instrumentations: [
    new HttpInstrumentation({
      // Probes and scrapes, each few seconds.
      ignoreIncomingRequestHook: ({ url = '' }) => /^\/(healthz|readyz|metrics)\b/.test(url),
      startIncomingSpanHook: ({ url }) => ({ 'url.path': withoutKeys(url) }),
      requestHook: (span, request) => {
        if ('rawHeaders' in request) span.updateName(`${request.method} ${withoutKeys(request.url)}`)
      },
    }),
    new UndiciInstrumentation(),
  ],
})
sdk.start()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void sdk.shutdown())
