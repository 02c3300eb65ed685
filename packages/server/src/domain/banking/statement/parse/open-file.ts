import { openCsv } from './read-csv.ts'
import { refusedFile } from './refusal.ts'
import type { Sheet } from './sheet.ts'

const starts = (bytes: Uint8Array, ...head: readonly number[]) => head.every((byte, i) => bytes[i] === byte)

/** The tables of a file, by its first bytes and not by its name: banks call web pages .xls. */
export async function openSheets(bytes: Buffer): Promise<readonly Sheet[]> {
  if (starts(bytes, 0x50, 0x4b, 0x03, 0x04)) return (await import('./read-xlsx.ts')).openXlsx(bytes)
  if (starts(bytes, 0x25, 0x50, 0x44, 0x46)) throw refusedFile('it is a PDF; download the cartola as .xlsx or as .csv')
  const head = bytes
    .toString('latin1', 0, 1024)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  if (/^<(!doctype|html|table|\?xml|head|style|meta)/i.test(head)) {
    throw refusedFile('it is a web page that is called a spreadsheet; open it and save it as .xlsx or as .csv')
  }
  return [openCsv(bytes)]
}
