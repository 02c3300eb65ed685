// Keeps books of all empresas of a key in ERP_FOLDER. Start it, stop it, kill it: it goes on from where it was.
// `--once` ends when everything that happened so far is in the books.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Timbre } from '@timbre/sdk'
import { fileCheckpoint } from '@timbre/sdk/node'

const { ERP_FOLDER = 'erp-data' } = process.env
const timbre = new Timbre({ empresa: null })

/** Written beside and moved over: a book is whole at any instant. */
async function save(file, value) {
  await writeFile(`${file}.part`, JSON.stringify(value, null, 2), { flush: true })
  await rename(`${file}.part`, file)
}

const load = async (file) => JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))

async function bookOf(rut, name) {
  const folder = join(ERP_FOLDER, rut)
  await mkdir(folder, { recursive: true })
  return join(folder, `${name}.json`)
}

/** An event carries the whole resource as it was then: of two, the later one is kept, in whatever order they are handled. */
async function record(name, { empresa, data, created_at }, row) {
  const file = await bookOf(empresa.rut, name)
  const book = await load(file)
  const known = book[data.object.id]
  if (known && known.as_of > created_at) return
  await save(file, { ...book, [data.object.id]: { ...row, as_of: created_at } })
}

// #region handlers
async function handle(event) {
  const { type, empresa, data } = event
  if (type.startsWith('document.')) {
    const { tipo_dte, folio, status, issue_date, totals } = data.object
    await record('sales', event, { tipo_dte, folio, status, issue_date, total: totals.total })
  }
  if (type.startsWith('received_document.')) {
    const { tipo_dte, folio, emisor, status, totals, deadline_at } = data.object
    await record('purchases', event, { tipo_dte, folio, emisor: emisor.rut, status, total: totals.total, deadline_at })
  }
  if (type === 'received_document.created') {
    // One client for all of them: the empresa travels with the call.
    const xml = await timbre.receivedDocuments.xml(data.object.id, { empresa: empresa.rut })
    await writeFile((await bookOf(empresa.rut, data.object.id)).replace(/json$/, 'xml'), await xml.bytes())
  }
}
// #endregion

await mkdir(ERP_FOLDER, { recursive: true })
for await (const { rut, legal_name } of timbre.empresas.list()) console.log(`${rut} ${legal_name}`)

// #region follow
const done = new AbortController()
const ledger = timbre.events.follow({
  after: 'beginning', // where no checkpoint is: all that the ledger keeps, twelve months
  types: ['document.*', 'received_document.*'],
  checkpoint: fileCheckpoint(join(ERP_FOLDER, 'checkpoint')),
  signal: done.signal,
  onOutage: (error, wait) => console.error(`${error.message} Again in ${wait / 1000} s.`),
  onCaughtUp: () => process.argv.includes('--once') && done.abort(),
})
try {
  for await (const event of ledger) {
    await handle(event) // it counts as handled when the loop asks for the next one
    console.log(`${event.empresa?.rut ?? ''} ${event.type}`)
  }
} catch (error) {
  if (!done.signal.aborted) throw error
}
// #endregion
