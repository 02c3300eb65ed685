import { readdirSync, readFileSync } from 'node:fs'

const PARTS = ['main thread', 'other threads', 'PostgreSQL', 'receiver'] as const
type Part = (typeof PARTS)[number]

/** Processor milliseconds by who used them. */
export type CpuByPart = Readonly<Record<Part, number>>

/** What each thread used so far, by its id: one that ends takes its figure with it. */
export type CpuReading = ReadonlyMap<number, { readonly part: Part; readonly ms: number }>

const read = (path: string) => readFileSync(path, 'latin1')

/** Of one that has ended meanwhile, nothing. */
function list(path: string, of: (path: string) => string[]): number[] {
  try {
    return of(path).map(Number)
  } catch {
    return []
  }
}

const threadsOf = (pid: number) => list(`/proc/${pid}/task`, (path) => readdirSync(path))

function childrenOf(pid: number): number[] {
  const of = (path: string) => read(path).split(' ').filter(Boolean)
  return threadsOf(pid).flatMap((thread) => list(`/proc/${pid}/task/${thread}/children`, of))
}

/** The processes of the PostgreSQL that this process started. */
function postgresProcesses(): number[] {
  const servers = childrenOf(process.pid).filter((pid) => read(`/proc/${pid}/comm`).startsWith('postgres'))
  return servers.flatMap((pid) => [pid, ...childrenOf(pid)])
}

/** What was used so far by this process, the PostgreSQL beneath it and a receiver. Empty where Linux does not tell. */
export function readCpu(receiver_pid: number): CpuReading {
  const used = new Map<number, { part: Part; ms: number }>()
  if (process.platform !== 'linux') return used
  const note = (pid: number, partOf: (thread: number) => Part) => {
    for (const thread of threadsOf(pid)) {
      const [ns] = list(`/proc/${pid}/task/${thread}/schedstat`, (path) => read(path).split(' '))
      used.set(thread, { part: partOf(thread), ms: (ns ?? 0) / 1e6 })
    }
  }
  note(process.pid, (thread) => (thread === process.pid ? 'main thread' : 'other threads'))
  for (const pid of postgresProcesses()) note(pid, () => 'PostgreSQL')
  note(receiver_pid, () => 'receiver')
  return used
}

const NOTHING: CpuByPart = { 'main thread': 0, 'other threads': 0, PostgreSQL: 0, receiver: 0 }

export function cpuSince(before: CpuReading, after: CpuReading): CpuByPart {
  const sum = { ...NOTHING }
  for (const [thread, { part, ms }] of after) sum[part] += Math.max(0, ms - (before.get(thread)?.ms ?? 0))
  return sum
}

export function addCpu(one: CpuByPart, other: CpuByPart): CpuByPart {
  const sum = { ...one }
  for (const part of PARTS) sum[part] += other[part]
  return sum
}

export const totalCpu = (cpu: CpuByPart) => PARTS.reduce((total, part) => total + cpu[part], 0)

/** Microseconds a request, in all and by part. */
export function describeCpu(cpu: CpuByPart, requests: number): string {
  const us = (ms: number) => ((ms * 1000) / requests).toFixed(0)
  return `${us(totalCpu(cpu))} µs of CPU: ${PARTS.map((part) => `${part} ${us(cpu[part])}`).join(', ')}`
}
