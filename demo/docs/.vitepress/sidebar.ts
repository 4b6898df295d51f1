// The order of the pages, for people (the sidebar) and for programs (llms.txt).

export interface Section {
  readonly text: string
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

export const sidebar: readonly Section[] = [
  {
    text: 'Start',
    items: [
      { text: 'Five-minute start', link: '/start' },
      { text: 'Integrate', link: '/integrate' },
      { text: 'Widget', link: '/widget' },
      { text: 'Sandbox', link: '/sandbox' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
    ],
  },
  {
    text: 'The demo',
    items: [
      { text: 'Show it to a merchant', link: '/show' },
      { text: 'Break it', link: '/break-it' },
    ],
  },
  {
    text: 'Your backend',
    items: [
      { text: 'Client for JavaScript, PHP and Python', link: '/client' },
      { text: 'Receive notices', link: '/receivers' },
      { text: 'Mount in your own server', link: '/mount' },
    ],
  },
  {
    text: 'Go live and operate',
    items: [
      { text: 'Going-live checklist', link: '/go-live' },
      { text: 'Deploy', link: '/deploy' },
      { text: 'Monitor', link: '/monitor' },
      { text: 'Support', link: '/support' },
      { text: 'Console', link: '/console' },
      { text: 'Backup and upgrade', link: '/backup' },
      { text: 'PostgreSQL', link: '/postgresql' },
      { text: 'Proxies', link: '/proxies' },
      { text: 'Security', link: '/security' },
      { text: 'A leaked key', link: '/runbook-leaked-key' },
      { text: 'Scale', link: '/scale' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Element', link: '/element' },
      { text: 'Endpoints', link: '/api' },
      { text: 'Settings', link: '/settings' },
      { text: 'Errors', link: '/errors' },
      { text: 'States and results', link: '/states' },
      { text: 'Metrics', link: '/metrics' },
    ],
  },
  {
    text: 'Behind it',
    items: [
      { text: 'The payment service', link: '/protocol/service' },
      { text: 'What the service leaves open', link: '/protocol/open-points' },
      { text: 'A client with curl', link: '/protocol/curl' },
      { text: 'Conformance suite', link: '/protocol/conformance' },
      { text: 'Internals of operation', link: '/internals' },
    ],
  },
]
