// A system whose form at /pay a person without JavaScript fills in.
import { afterEach, beforeEach } from 'vitest'
import { createSession, createTestSystem } from '../helpers/create-test-system.ts'
import type { TestSystem, TestSystemOptions } from '../helpers/create-test-system.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { visitor } from './visitor.ts'
import type { Visitor } from './visitor.ts'

/**
 * The system of the running test, a person at its pages, and the paths at which the payment service
 * was called.
 */
export let system: TestSystem
export let person: Visitor
export let asked: string[]
export async function open(options: TestSystemOptions = {}): Promise<void> {
  asked = []
  system = await createTestSystem({
    agent: false,
    ...options,
    network:
      options.network ??
      (async (request, next) => {
        asked.push(new URL(request.url).pathname)
        return next()
      }),
  })
  person = visitor(system)
}

/** Opens the system anew; returns what its log is told at that level. */
export async function openLogged(level: 'warn' | 'error'): Promise<{ requestId?: string; err?: unknown }[]> {
  const told: { requestId?: string; err?: unknown }[] = []
  await system.close()
  await open({ companion: { logger: { ...silentLogger, [level]: (fields: object) => void told.push(fields) } } })
  return told
}

/** Opens the system before each test of a file, and closes it afterwards. */
export function openForEach(): void {
  beforeEach(() => open())
  afterEach(() => system.close())
}

export const payer = { amount: '2,500', name: 'Achieng Otieno', phone: '0712 345 678' }
export const deposits = () => system.store.payments({ limit: 50 })
export const session = (changes: Record<string, unknown> = {}) =>
  createSession(system, {
    amount: 12_500,
    country: 'KE',
    orderId: 'A-77',
    description: 'Two pairs of shoes',
    ...changes,
  })
