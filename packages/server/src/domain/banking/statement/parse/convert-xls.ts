import { refusedFile } from './refusal.ts'

const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/** Whether a file is in the container of old Excel (.xls), in which an encrypted .xlsx comes too. */
export function isOldExcel(bytes: Buffer): boolean {
  return bytes.subarray(0, OLE.length).equals(OLE)
}

/**
 * Turns the .xls that many banks still hand out into an .xlsx of the same cells, which the reader with our bounds then
 * reads. For threads alone, whose time and memory are bounded: a hostile file may keep the library busy for long.
 * Formulas are carried over as text and never evaluated; macros, pictures and styles are not read.
 */
export async function convertXls(bytes: Buffer): Promise<Buffer> {
  const { read, write } = await import('@e965/xlsx')
  try {
    const book = read(bytes, { type: 'buffer', dense: true, cellFormula: true, cellHTML: false, cellText: false })
    for (const sheet of Object.values(book.Sheets)) {
      // The library leaves rows out that are blank, and cannot write what it left out.
      const data = sheet['!data'] ?? []
      for (let at = 0; at < data.length; at++) data[at] ??= []
    }
    return write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer
  } catch {
    throw refusedFile('it is an old Excel file (.xls) that is damaged or encrypted; save it as .xlsx or as .csv')
  }
}
