import { type Client, readAll, type Told } from './client.ts'

const HANDS = 8

/** Reads what the service shows, with enough keys that the limits of one never matter. */
export interface Auditor {
  ask(ask: Parameters<Client['ask']>[0]): Promise<Told>
  read(path: string, empresa?: string): Promise<Told>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  list(path: string, empresa?: string): Promise<any[]>
  /** Looks at each, several at a time. */
  each<T>(all: readonly T[], look: (one: T) => Promise<void>): Promise<void>
}

export function openAuditor(client: Client, keys: readonly string[]): Auditor {
  let turn = 0
  const ask: Auditor['ask'] = (asked) => {
    turn++
    return client.ask({ ...asked, bearer: keys[turn % keys.length] ?? '' }, turn)
  }
  const read: Auditor['read'] = (path, empresa) => ask({ path, ...(empresa && { empresa }) })
  return {
    ask,
    read,
    list: (path, empresa) => readAll((page) => read(page, empresa), path),
    async each(all, look) {
      const queue = [...all]
      const work = async () => {
        for (let one = queue.shift(); one !== undefined; one = queue.shift()) await look(one)
      }
      await Promise.all(Array.from({ length: HANDS }, work))
    },
  }
}
