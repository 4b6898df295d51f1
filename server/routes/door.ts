// A door as a function of what came to what is answered. The doors that take the load are written so, because they are answered twice:
// through Hono wherever the companion is mounted, and straight on Node's own request and response (node-doors.ts).

/** A request, as far as a door may know it. */
export interface DoorRequest {
  /** The client's address, behind trusted proxies. */
  readonly address: string
  /** The variable part of the path; empty where there is none. */
  readonly param: string
  /** The header of that name, which is given in lower case. */
  header(name: string): string | undefined
  /** The whole body. Throws `body_too_large` past `limit` bytes, `unsupported_media_type` for an encoded one. */
  body(limit: number): Promise<Uint8Array>
}

export interface Answer {
  readonly status: number
  /** JSON text. */
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Throws a CompanionError, which becomes problem details. */
export type Door = (request: DoorRequest) => Promise<Answer>
