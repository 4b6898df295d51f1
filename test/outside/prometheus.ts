// Prometheus' own tool on our alert rules, and on the figures of a companion that has taken a
// payment.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics } from '../../server/platform/metrics.ts'
import { COMPANION_URL, createTestSystem, pay, SAME_MACHINE } from '../helpers/create-test-system.ts'
import { unpackDebian } from '../helpers/debian-packages.ts'
import { root } from '../helpers/run-quietly.ts'

export async function takenByPromtool(): Promise<string> {
  const program = await promtool()
  const said = run(program, ['check', 'rules', join(root, 'server/deploy/alerts.yaml')])
  const metrics = createMetrics()
  const system = await createTestSystem({ companion: { metrics, readMetrics: () => metrics.read() } })
  try {
    await pay(system, { payer: { name: 'Achieng Otieno', phone: '254700000001' } })
    await system.advance(120)
    const answer = await system.companion.app.request(`${COMPANION_URL}/metrics`, {}, SAME_MACHINE)
    const figures = await answer.text()
    if (!figures.includes('hc_deposits_created_total')) throw new Error(`These are no figures:\n${figures}`)
    run(program, ['check', 'metrics'], figures)
  } finally {
    await system.close()
  }
  return /\d+ rules/.exec(said)?.[0] ?? 'no rules'
}

async function promtool(): Promise<string> {
  const installed = '/usr/bin/promtool'
  if (existsSync(installed)) return installed
  const unpacked = await unpackDebian('prometheus', ['prometheus'])
  if ('why' in unpacked) throw new Error(`There is no promtool, and it cannot be fetched: ${unpacked.why}`)
  return join(unpacked.folder, 'usr/bin/promtool')
}

/** It ends with 3 for figures that it would name otherwise. */
function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`promtool ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}
