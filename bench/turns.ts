import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

// What is compared takes turns of a fraction of a second: a machine may run at half its speed for seconds on end, for reasons of
// its own, and whoever is measured then looks twice as dear as what was measured before.

/** One turn that a load is asked for, over IPC. */
export interface Turn {
  /** `KEY` in it stands for an Idempotency-Key that no other request had. */
  readonly request: string
  readonly ms: number
}

export const KEY = '{idempotency_key}'

export interface TurnCount {
  readonly answers: number
  /** The first answer that was no success. */
  readonly refused: string | null
}

export interface TurnCost {
  readonly per_second: number
  /** Of this process alone. */
  readonly cpu_ms: number
}

export interface TurningLoad {
  turn(request: string, ms: number): Promise<TurnCost>
  close(): void
}

/** A process that loads one port, in turns. */
export async function openTurns(port: number, connections: number): Promise<TurningLoad> {
  const order = JSON.stringify({ port, connections })
  const load = fork(fileURLToPath(new URL('load-turns.ts', import.meta.url)), [order], {
    execArgv: ['--import', 'tsx'],
  })
  await once(load, 'message')
  return {
    async turn(request, ms) {
      const [cpu, started] = [process.cpuUsage(), performance.now()]
      load.send({ request, ms } satisfies Turn)
      const [{ answers, refused }] = (await once(load, 'message')) as [TurnCount]
      if (refused !== null) throw new Error(`refused: ${refused}`)
      const { user, system } = process.cpuUsage(cpu)
      return { per_second: (answers * 1000) / (performance.now() - started), cpu_ms: (user + system) / 1000 / answers }
    },
    close: () => load.disconnect(),
  }
}

export const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
