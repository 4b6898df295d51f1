// Serves an endpoint (endpoint.ts) through Hono, wherever the companion is mounted.
import type { Context, Handler } from 'hono'
import type { Endpoint } from './endpoint.ts'
import type { Env } from './http.ts'
import { readBytes } from './read-request.ts'

/** @param param name of the variable path segment */
export function viaHono(endpoint: Endpoint, param?: string): Handler<Env> {
  return async function handle(c: Context<Env>) {
    const { status, text, headers } = await endpoint({
      address: c.get('address'),
      param: param === undefined ? '' : (c.req.param(param) ?? ''),
      header: (name) => c.req.header(name),
      body: (limit, coding) => readBytes(c.req.raw, limit, coding),
    })
    return c.body(text, status, { 'content-type': 'application/json', ...headers })
  }
}
