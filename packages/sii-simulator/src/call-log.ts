/** One request as the operator of a client wants to see it: no bodies, no cookies, no query. */
export type Call = {
  at: string
  host: string | null
  door: string | null
  method: string
  path: string
  status: number | null
  ms: number
  bytes_in: number
  bytes_out: number
  scripts: string[]
}

const LONGEST_PATH = 500

export type CallLog = ReturnType<typeof openCallLog>

/** The last calls, in memory, and how many each door has had. */
export function openCallLog(room = 500) {
  let calls: Call[] = []
  let counts: Record<string, number> = {}
  return {
    add(call: Call) {
      calls.push({ ...call, path: call.path.slice(0, LONGEST_PATH) })
      if (calls.length > room) calls = calls.slice(-room)
      const name = call.door ?? 'none'
      counts[name] = (counts[name] ?? 0) + 1
    },
    list: () => calls.toReversed(),
    counts: () => ({ ...counts }),
    clear() {
      calls = []
      counts = {}
    },
  }
}
