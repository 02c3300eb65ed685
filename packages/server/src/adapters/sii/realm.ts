import { createHash } from 'node:crypto'
import type { SiiClientOptions } from '@timbre/sii'
import type { Ambiente } from '../../ports/sii.ts'

/**
 * Names the SII that a process talks to: its hosts, and the environment where only one is asked. What one of them gave
 * for a person is never shown to another: a database may have served production before it serves a simulator.
 */
export function realmOf(hosts: SiiClientOptions['hosts'], only: Ambiente | undefined): string {
  const told = JSON.stringify([Object.values(hosts).map((of) => Object.entries(of).sort()), only ?? null])
  return createHash('sha256').update(told).digest('hex').slice(0, 16)
}
