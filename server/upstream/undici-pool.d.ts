// undici types its Pool only as an export of the whole library.
declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici'
  const PoolClass: typeof Pool
  export default PoolClass
}
