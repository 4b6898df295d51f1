// What is said to a developer who has mounted the companion below a path of another server.

/** The companion's links, its callback address and HC_PUBLIC_URL know no path. */
export function mountedBelow(path: string): string {
  return (
    `The companion is mounted below ${path}, where neither its links nor its callback address lead: ` +
    'mount it at the root, without a path. It answers its own routes and passes on all others.'
  )
}
