import type { Stamp } from '../document/build.ts'
import { writeRows } from '../document/build.ts'
import { documentId } from '../document/document.ts'
import { element } from '../xml/write.ts'
import type { UnissuedDte } from './document.ts'
import { bodyOf } from './fields.ts'
import { unissuedTipo } from './tipos.ts'

/**
 * `<Liquidacion ID="…">` or `<Exportaciones ID="…">`, in canonical form but for the namespace its parent declares. Its
 * amounts are the caller's: nothing is computed here.
 */
export function buildUnissued(dte: UnissuedDte, { ted, tmst_firma }: Stamp): string {
  const inner = writeRows(bodyOf(dte.tipo_dte).rows, dte, dte.tipo_dte)
  return element(unissuedTipo(dte.tipo_dte).body, `${inner}${ted}<TmstFirma>${tmst_firma}</TmstFirma>`, {
    ID: documentId(dte),
  })
}
