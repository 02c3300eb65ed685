import PDFDocument from 'pdfkit'
import { PDF_FORMATS, type PdfFormat } from '../packages/dte/src/pdf/options.ts'
import { renderPdf } from '../packages/dte/src/pdf/render.ts'
import { sample, sampleTed } from '../packages/dte/test/pdf/samples.ts'

/**
 * Pages with PDF417 that one core renders in a second, and their ratio to empty pages of pdfkit. Both are measured in
 * turns within one run and in processor time, so that a busy machine slows them alike and flatters neither.
 */
const ROUNDS = 5
const PAGES = 100

const dte = sample(33)
const options = {
  ted: sampleTed(dte),
  cedible: true,
  resolucion: { numero: 80, fecha: '2014-08-22' },
  created_at: '2026-11-15T13:20:30Z',
}

const renderSample = (format: PdfFormat) => renderPdf(dte, { ...options, format })

function renderEmpty(): Promise<void> {
  return new Promise((resolve) => {
    const doc = new PDFDocument({ info: { CreationDate: new Date(0) } })
    doc.on('data', () => {})
    doc.on('end', resolve)
    doc.end()
  })
}

/** Processor seconds of so many calls. */
async function secondsOf(call: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  for (let i = 0; i < PAGES; i++) await call()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

const subjects = new Map<string, () => Promise<unknown>>([['empty', renderEmpty]])
for (const format of PDF_FORMATS) subjects.set(format, () => renderSample(format))

const best = new Map<string, number>()
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, call] of subjects) {
    const seconds = await secondsOf(call)
    // The first round warms up the compiler.
    if (round > 0) best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, seconds))
  }
}

const rate = (name: string) => PAGES / (best.get(name) ?? Number.NaN)
console.log(`pdf empty pdfkit page: ${rate('empty').toFixed(0)} pages/s a core`)
for (const format of PDF_FORMATS) {
  const ratio = rate(format) / rate('empty')
  console.log(
    `pdf ${format} with PDF417: ${rate(format).toFixed(0)} pages/s a core, ${ratio.toFixed(2)} of an empty pdfkit page`,
  )
}
