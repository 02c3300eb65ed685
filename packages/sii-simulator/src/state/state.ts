import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import type { Caf, IssuedCertificate, Mail, Seed, SiiDocument, Taxpayer, Token, Upload } from './types.ts'

/** A small ordered table. Every write is in the file (so survives kill -9) when the call returns. */
export type Store<T> = {
  get(key: string): T | undefined
  put(key: string, value: T): void
  remove(key: string): void
  /** In the order of keys; with a prefix, those that begin with it. `after` is a key, which is left out itself. */
  entries(prefix?: string, options?: RangeOptions): Iterable<[string, T]>
  values(prefix?: string): T[]
  count(prefix?: string): number
  clear(): void
}

export interface RangeOptions {
  readonly reverse?: boolean
  readonly limit?: number
  readonly after?: string
}

export type State = ReturnType<typeof openState>

const MAX_KEY = 480

/** Where no folder is given the state lives in a temporary one and goes when the simulator ends. */
export function openState(folder: string | null) {
  const temporary = folder === null ? mkdtempSync(join(tmpdir(), 'sii-simulator-')) : null
  const path = join(folder ?? (temporary as string), 'state')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const root = open({ path, maxDbs: 64, noSync: temporary !== null, mapSize: 1 << 30 })
  const stores = new Map<string, Store<unknown>>()

  /** A table of this name; doors open their own. */
  function store<T>(name: string): Store<T> {
    const known = stores.get(name)
    if (known) return known as Store<T>
    const made = openStore<T>(root, name)
    stores.set(name, made as Store<unknown>)
    return made
  }

  const settings = store<unknown>('settings')
  return {
    store,
    taxpayers: store<Taxpayer>('taxpayers'),
    certificates: store<IssuedCertificate>('certificates'),
    seeds: store<Seed>('seeds'),
    tokens: store<Token>('tokens'),
    uploads: store<Upload>('uploads'),
    /** The bytes of each upload, by the same key. */
    files: store<Uint8Array>('files'),
    /** First track id of each file, by company and digest. */
    digests: store<{ track_id: string; times: number }>('digests'),
    /** Keys of the uploads without a verdict, by the hour it is due. */
    pending: store<string>('pending'),
    documents: store<SiiDocument>('documents'),
    /** The `DTE` element of each document, byte by byte, by the same key. */
    document_files: store<Uint8Array>('document_files'),
    cafs: store<Caf>('cafs'),
    /** Folios annulled by their owner, by the same key as documents. */
    annulled_folios: store<{ at: number; by: string }>('annulled_folios'),
    mails: store<Mail>('mails'),
    settings,
    /** The next number of a sequence that starts at `first`. */
    next(sequence: string, first: number): number {
      const number = (settings.get(`sequence:${sequence}`) as number | undefined) ?? first
      settings.put(`sequence:${sequence}`, number + 1)
      return number
    },
    /** Everything that `work` writes is kept, or nothing is. */
    atomically: <T>(work: () => T): T => root.transactionSync(work),
    /** Forgets everything but the keys, which are files beside this. */
    reset() {
      // The root lists every table of the file, those that nobody has opened in this process too.
      for (const name of [...stores.keys(), ...root.getKeys()]) store(String(name)).clear()
    },
    async close() {
      await root.close()
      if (temporary) rmSync(temporary, { recursive: true, force: true })
    },
  }
}

function openStore<T>(root: RootDatabase, name: string): Store<T> {
  const db = root.openDB<T, string>({ name, encoding: 'msgpack' })
  const range = (prefix = '', { reverse = false, after }: RangeOptions = {}) => {
    const [first, last] = [prefix, `${prefix}\uffff`]
    const going_on = { exclusiveStart: after !== undefined, reverse }
    return reverse
      ? { start: after ?? last, end: first, ...going_on }
      : { start: after ?? first, end: last, ...going_on }
  }
  // Keys come from strangers too; LMDB takes none beyond 1,978 bytes.
  const isKey = (key: string) => key !== '' && key.length <= MAX_KEY
  return {
    get: (key) => (isKey(key) ? db.get(key) : undefined),
    put: (key, value) => {
      db.putSync(key, value)
    },
    remove: (key) => {
      if (isKey(key)) db.removeSync(key)
    },
    *entries(prefix, options = {}) {
      if (prefix && !isKey(prefix)) return
      const { after } = options
      if (after !== undefined && !(isKey(after) && after.startsWith(prefix ?? ''))) return
      let left = options.limit ?? Number.POSITIVE_INFINITY
      for (const { key, value } of db.getRange(range(prefix, options))) {
        if (left-- <= 0) return
        yield [key, value]
      }
    },
    values: (prefix) => Array.from(db.getRange(range(prefix)), ({ value }) => value),
    count: (prefix) => db.getCount(range(prefix)),
    clear: () => db.clearSync(),
  }
}

/** Numbers in keys are as wide as the widest, so that the order of text is theirs. */
export function wide(number: number | string, width: number): string {
  return String(number).padStart(width, '0')
}

export function documentKey(ambiente: string, emisor: string, tipo: number, folio: number): string {
  return `${ambiente}:${emisor}:${wide(tipo, 3)}:${wide(folio, 10)}`
}

export function uploadKey(ambiente: string, trackId: string): string {
  return `${ambiente}:${wide(trackId.replace(/^0+/, ''), 15)}`
}

export function cafKey(caf: Pick<Caf, 'ambiente' | 'emisor' | 'tipo' | 'desde'>): string {
  return documentKey(caf.ambiente, caf.emisor, caf.tipo, caf.desde)
}
