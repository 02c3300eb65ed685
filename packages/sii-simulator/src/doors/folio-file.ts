import type { Answer } from '../door.ts'
import type { Range } from '../portal/folio-pages.ts'
import type { Simulator } from '../simulator.ts'
import type { Caf } from '../state/types.ts'

/** How a range stands in forms, in lists and as the file that is handed over. */
export function fileFields(caf: Caf) {
  return { COD_DOCTO: caf.tipo, FOLIO_INI: caf.desde, FOLIO_FIN: caf.hasta, FECHA: caf.fecha }
}

export function cafFile(caf: Caf): Answer {
  const name = `FoliosSII${caf.emisor.replace('-', '')}${caf.tipo}${caf.desde}${caf.fecha.replaceAll('-', '')}.xml`
  return {
    type: 'application/octet-stream',
    headers: { 'Content-Disposition': `attachment; filename="${name}"` },
    body: Buffer.from(caf.xml, 'latin1'),
  }
}

export function rangeOf(ctx: Simulator, caf: Caf): Range {
  return { tipo: caf.tipo, from: caf.desde, to: caf.hasta, date: caf.fecha, person: personOf(ctx, caf.requested_by) }
}

/** By name where the simulator made the person's certificate, which is where it knows the name from. */
export function personOf(ctx: Simulator, rut: string): string {
  return ctx.state.certificates.values().find((certificate) => certificate.rut === rut)?.name ?? rut
}
