// A till: a line of text is a sale, as `2 x Café @ 1990, Medialuna @ 1200`. Boletas are printed into POS_FOLDER.
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Timbre } from '@timbre/sdk'
import { openQueue } from './queue.mjs'

const { POS_FOLDER = 'pos-data', POS_TILL = 'caja-1' } = process.env
const printed = join(POS_FOLDER, 'printed')
await mkdir(printed, { recursive: true })
const queue = await openQueue(join(POS_FOLDER, 'queue'))

// A till does not make people wait: one attempt, a few seconds, and the sale stays in the queue.
const timbre = new Timbre({ maxRetries: 0, timeout: 5_000 })

/** Names sort by time, and no two tills make the same. */
const newNumber = () => `${POS_TILL}-${Date.now()}-${randomUUID().slice(0, 8)}`

function itemOf(text) {
  const [, quantity = '1', description, price] = /^(?:(\d+) x )?(.+?) @ (\d+)$/.exec(text.trim()) ?? []
  if (description === undefined) throw new Error(`"${text}" is no item: write it as 2 x Café @ 1990`)
  return { description, quantity: Number(quantity), unit_price: Number(price) }
}

// #region issue
/** Issues a sale once, however often it is tried, and prints it. */
async function issue(sale) {
  const boleta = await timbre.documents.create(sale, { idempotencyKey: sale.external_id }).catch((error) => {
    // Issued before, and the answer was lost: more than a day ago, or the key would have told.
    if (error.code === 'external_id_exists') return timbre.documents.get(error.existingId)
    throw error
  })
  const { status, folio, totals } = await timbre.documents.wait(boleta.id)
  const pdf = await timbre.documents.pdf(boleta.id, { format: 'ticket_80' })
  await writeFile(join(printed, `${sale.external_id}.pdf`), await pdf.bytes())
  console.log(`${status} boleta ${folio} $${totals.total}`)
}
// #endregion

async function send() {
  const stopped = await queue.drain(issue)
  if (stopped) console.log(`sin conexión (${stopped.code}): ${(await queue.waiting()).length} en espera`)
}

await send() // what an earlier day left
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  try {
    await queue.push({ tipo_dte: 39, external_id: newNumber(), items: line.split(',').map(itemOf) })
  } catch (error) {
    console.error(error.message)
    continue
  }
  await send()
}
