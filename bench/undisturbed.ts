import { spawnSync } from 'node:child_process'
import { processesUnder } from './process-tree.ts'

/** Set where a machine that others use is to be measured as if it were idle: on Linux, by whoever may ask for it. */
const WANTED = process.env.BENCH_REALTIME === '1'

/** For this process and all that it started; what they start from now on has it from them. */
function schedule(policy: '--rr' | '--other', priority: number): void {
  for (const { pid } of processesUnder(process.pid)) {
    const { status, stderr } = spawnSync('chrt', ['--all-tasks', policy, '--pid', String(priority), String(pid)])
    // Others may have ended meanwhile.
    if (status !== 0 && pid === process.pid) throw new Error(`BENCH_REALTIME: ${stderr}`)
  }
}

/**
 * Runs a few seconds of work whose time on the wall is the figure, ahead of everything else on the machine where that is
 * wanted. What others run stands still meanwhile, so let it be short.
 */
export async function undisturbed<T>(work: () => Promise<T>): Promise<T> {
  if (!WANTED) return work()
  schedule('--rr', 1)
  try {
    return await work()
  } finally {
    schedule('--other', 0)
  }
}
