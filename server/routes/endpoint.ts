// An endpoint as a function from request to answer. The busiest ones are written this way because they are served twice: through Hono wherever the
// companion is mounted, and directly on Node's request and response (node-endpoints.ts).
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** What an endpoint may know of a request. */
export interface EndpointRequest {
  /** The client's address, behind trusted proxies. */
  readonly address: string
  /** The variable part of the path; empty when there is none. */
  readonly param: string
  /** The header of that name; `name` is lower case. */
  header(name: string): string | undefined
  /**
   * The whole body as it came. Throws `body_too_large` past `limit` bytes, `unsupported_media_type` for an encoded one, unless it
   * has the coding that the endpoint reads itself.
   */
  body(limit: number, coding?: 'gzip'): Promise<Uint8Array>
}

export interface Answer {
  readonly status: ContentfulStatusCode
  /** JSON text. */
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Throws a CompanionError, which becomes problem details. */
export type Endpoint = (request: EndpointRequest) => Promise<Answer>
