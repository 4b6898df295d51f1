// The console's pages.
import { Hono } from 'hono'
import type { ConsoleParts } from './console-actions.ts'
export function consolePages(_parts: ConsoleParts): Hono {
  return new Hono()
}
