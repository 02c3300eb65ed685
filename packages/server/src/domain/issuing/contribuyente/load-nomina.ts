import { systemNow } from '../../../kernel/clock.ts'
import type { Database } from '../../../kernel/db.ts'
import { type Connection, type CopyIn, openCopyIn } from '../../../kernel/pg-copy.ts'
import { LAYOUTS, type Layout, NominaRefused } from './layout.ts'
import {
  copyStatement,
  createStaging,
  dropStaging,
  indexStaging,
  type LoadedDataset,
  lockLoad,
  swapStaging,
} from './load-store.ts'
import { type RefusedRow, RowParser } from './parse-rows.ts'
import { type Source, sourcesIn } from './source.ts'

export interface LoadOptions {
  /** YYYY-MM-DD, where the files do not say when they were published or say it wrong. */
  readonly published_on?: string
  /** Called with a line now and then, for the person who waits. */
  readonly onProgress?: (line: string) => void
}

export interface FileReport {
  readonly file: string
  readonly rows: number
  readonly refused: number
  /** The first twenty, by line. */
  readonly first_refused: readonly RefusedRow[]
}

/**
 * A COPY is one transaction, and while any transaction writes, readers of the event ledger wait at its horizon. So rows
 * go in by many short ones; nobody sees them until the swap anyway.
 */
const BATCH_BYTES = 8 * 1024 * 1024
const ROWS_PER_LINE = 250_000

/**
 * Loads the published nómina files and puts them in the place of what was there, at once and only if every file could
 * be read to its end. Datasets whose files are not given stay as they are.
 */
export async function loadNomina(
  db: Database,
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<FileReport[]> {
  const sources = (await Promise.all(paths.map(sourcesIn))).flat()
  const duplicate = sources.find(({ name }, i) => sources.findIndex((other) => other.name === name) !== i)
  if (duplicate) throw new NominaRefused(`${duplicate.name} was given twice.`)
  for (const source of sources) publishedOf(source, options)
  const connection = await db.connect()
  try {
    if (!(await lockLoad(connection))) throw new NominaRefused('Another load is running. Wait until it has ended.')
    // Nothing counts before the swap, which waits for the disk by itself and thereby for everything before it.
    await connection.query("set synchronous_commit = off; set maintenance_work_mem = '128MB'")
    return await loadAll(connection, sources, options)
  } finally {
    await connection.end()
  }
}

function publishedOf(source: Source, options: LoadOptions): string {
  const published = options.published_on ?? source.published
  if (published !== null) return published
  throw new NominaRefused(`${source.name} does not say when it was published. Add --published-at=YYYY-MM-DD.`)
}

async function loadAll(
  connection: Connection,
  sources: readonly Source[],
  options: LoadOptions,
): Promise<FileReport[]> {
  const loaded = new Map<Layout, LoadedDataset>()
  const reports: FileReport[] = []
  await dropStaging(connection, LAYOUTS)
  try {
    for (const source of sources) reports.push(await loadFile(connection, source, loaded, options))
    for (const layout of loaded.keys()) await indexStaging(connection, layout)
    // In the order of LAYOUTS, whatever the order of the files: it is the order of the locks.
    const inOrder = LAYOUTS.flatMap((layout) => loaded.get(layout) ?? [])
    await swapStaging(connection, inOrder, new Date(systemNow()))
    return reports
  } catch (error) {
    await dropStaging(connection, LAYOUTS).catch(() => undefined) // the next load does it otherwise
    throw error
  }
}

async function loadFile(
  connection: Connection,
  source: Source,
  loaded: Map<Layout, LoadedDataset>,
  options: LoadOptions,
): Promise<FileReport> {
  const parser = new RowParser(source.name)
  const table = new BatchedTable(connection)
  const progress = progressOf(source.name, options.onProgress)
  try {
    for await (const chunk of source.read()) {
      const rows = parser.push(chunk)
      if (parser.layout) await table.use(parser.layout, loaded)
      await table.write(rows)
      progress(parser.accepted)
    }
    await table.write(parser.end())
    await table.finish()
  } catch (error) {
    await table.abandon()
    throw error
  }
  const { accepted, refused, firstRefused, layout } = parser
  if (accepted === 0 || !layout) throw new NominaRefused(`${source.name}: not one of its rows can be used.`)
  addFile(loaded, layout, { published: publishedOf(source, options), rows: accepted, refused })
  return { file: source.name, rows: accepted, refused, first_refused: firstRefused }
}

function addFile(
  loaded: Map<Layout, LoadedDataset>,
  layout: Layout,
  file: { published: string; rows: number; refused: number },
): void {
  const before = loaded.get(layout) ?? { layout, published: file.published, rows: 0, refused: 0 }
  before.rows += file.rows
  before.refused += file.refused
  if (file.published > before.published) before.published = file.published
  loaded.set(layout, before)
}

function progressOf(name: string, onProgress: LoadOptions['onProgress']): (rows: number) => void {
  let next = ROWS_PER_LINE
  return (rows) => {
    if (rows < next) return
    next = rows - (rows % ROWS_PER_LINE) + ROWS_PER_LINE
    onProgress?.(`${name}: ${rows.toLocaleString('en-US')} rows`)
  }
}

/** One table filled by COPY after COPY. */
class BatchedTable {
  readonly #connection: Connection
  #layout: Layout | null = null
  #copy: CopyIn | null = null
  #written = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async use(layout: Layout, loaded: ReadonlyMap<Layout, LoadedDataset>): Promise<void> {
    if (this.#layout) return
    this.#layout = layout
    if (!loaded.has(layout)) await createStaging(this.#connection, layout)
  }

  async write(rows: Buffer): Promise<void> {
    if (rows.length === 0 || !this.#layout) return
    this.#copy ??= openCopyIn(this.#connection, copyStatement(this.#layout))
    await this.#copy.write(rows)
    this.#written += rows.length
    if (this.#written >= BATCH_BYTES) await this.finish()
  }

  async finish(): Promise<void> {
    await this.#copy?.finish()
    this.#copy = null
    this.#written = 0
  }

  async abandon(): Promise<void> {
    await this.#copy?.abandon()
  }
}
