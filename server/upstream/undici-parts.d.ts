// undici types these only as exports, and methods, of the whole library.
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'
  const connect: Dispatcher['connect']
  export default connect
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net'
  import type { buildConnector } from 'undici'
  const createConnector: (
    options: buildConnector.BuildOptions,
  ) => (...call: Parameters<buildConnector.connector>) => Socket
  export default createConnector
}

declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici'
  const PoolClass: typeof Pool
  export default PoolClass
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import type { ProxyAgent } from 'undici'
  const ProxyAgentClass: typeof ProxyAgent
  export default ProxyAgentClass
}
