import { DOCUMENTS } from '@timbre/dte/wire'
import { acknowledgedAt, claimedAt } from '../claims/rules.ts'
import { slashed, type WriteInstant } from './csv.ts'
import { type Entry, ivaOf, PURCHASE_KINDS, SALE_KINDS, SUMMED } from './entries.ts'

/** A stable number for a register; the SII's own are internal and nobody derives anything from them. */
const BOOK = 1234

/** One row for each tipo, as the register sums a month. Amounts of notes are positive: the sign belongs to the tipo. */
export function summaryRows(entries: readonly Entry[]) {
  const tipos = [...new Set(entries.map(({ document }) => document.facts.tipo))].sort((a, b) => a - b)
  return tipos.map((tipo) => {
    const own = entries.filter(({ document }) => document.facts.tipo === tipo)
    const sum = (value: (entry: Entry) => number) => own.reduce((total, entry) => total + value(entry), 0)
    const purchase = own[0]?.state !== null
    return {
      rsmnCodigo: BOOK,
      dcvCodigo: BOOK,
      dcvNombreTipoDoc: titleOf(tipo),
      dcvOperacion: null,
      dcvTipoIngresoDoc: SUMMED.includes(tipo) ? 'RES_ELE' : 'DET_ELE',
      rsmnTipoDocInteger: tipo,
      rsmnTotDoc: own.length,
      rsmnMntExe: sum(({ document }) => document.facts.exempt),
      rsmnMntNeto: sum(({ document }) => document.facts.net),
      rsmnMntIVA: sum((entry) => (purchase ? ivaOf(entry).recoverable : entry.document.facts.iva)),
      rsmnMntIVANoRec: purchase ? sum((entry) => ivaOf(entry).lost) : 0,
      rsmnIVAUsoComun: purchase ? sum((entry) => ivaOf(entry).common) : 0,
      rsmnMntTotal: sum(({ document }) => document.facts.total),
      rsmnEstadoContab: null,
      rsmnLink: !SUMMED.includes(tipo),
      rsmnTotalRutEmisor: null,
    }
  })
}

/** "Factura electrónica" as the register writes it: each word with a capital. */
function titleOf(tipo: number): string {
  const name = DOCUMENTS[tipo]?.name ?? `Documento ${tipo}`
  return name.replace(/(^|\s)(\p{L})(?=\p{L}{2})/gu, (_, space: string, letter: string) => space + letter.toUpperCase())
}

export function detailRows(entries: readonly Entry[], write: WriteInstant) {
  return entries.map((entry, index) => detailRow(entry, index + 1, write))
}

function detailRow(entry: Entry, number: number, write: WriteInstant) {
  const { facts, received_at, events } = entry.document
  const purchase = entry.state !== null
  const counterpart = purchase && facts.tipo !== 46 ? facts.emisor : facts.receptor
  const [rut = '', dv = ''] = counterpart.split('-')
  const iva = ivaOf(entry)
  const last = events.at(-1)?.code
  const reference = facts.references.find(({ tipo }) => /^\d+$/.test(tipo))
  return {
    dhdrCodigo: 900_000 + number,
    dcvCodigo: BOOK,
    dcvEstadoContab: null,
    detCodigo: number,
    detTipoDoc: facts.tipo,
    detRutDoc: Number(rut),
    detDvDoc: dv,
    detRznSoc: purchase && facts.tipo !== 46 ? facts.emisor_name : facts.receptor_name,
    detNroDoc: facts.folio,
    detFchDoc: slashed(facts.issued_on),
    detFecAcuse: written(acknowledgedAt(events), write),
    detFecReclamado: written(claimedAt(events), write),
    detFecRecepcion: write(received_at),
    detMntExe: facts.exempt,
    detMntNeto: facts.net,
    detMntActFijo: purchase && entry.kind === 4 ? facts.net : 0,
    detMntIVAActFijo: purchase && entry.kind === 4 ? facts.iva : 0,
    detMntIVANoRec: purchase ? iva.lost : 0,
    detMntCodNoRec: purchase ? iva.lost_code : 0,
    detMntSinCredito: 0,
    detMntIVA: purchase ? iva.recoverable : facts.iva,
    detMntTotal: facts.total,
    detTasaImp: null,
    detAnulado: null,
    detIVARetTotal: facts.iva_withheld,
    detIVARetParcial: 0,
    detIVANoRetenido: facts.iva_withheld > 0 ? facts.iva - facts.iva_withheld : 0,
    detIVAPropio: 0,
    detIVATerceros: 0,
    detIVAUsoComun: purchase ? iva.common : 0,
    detTipoDocRef: Number(reference?.tipo ?? 0),
    detFolioDocRef: reference?.folio ?? null,
    detTpoImp: 1,
    detTipoTransaccion: entry.kind,
    descTipoTransaccion: (purchase ? PURCHASE_KINDS : SALE_KINDS)[entry.kind] ?? null,
    // "P" with "Sin evento" is what a real answer carries where nothing was said; the others are by analogy.
    detEventoReceptor: last === undefined ? 'P' : last === 'ACD' || last === 'ERM' ? 'A' : 'R',
    detEventoReceptorLeyenda: last ?? 'Sin evento',
    cambiarTipoTran: purchase,
    detPcarga: Number(entry.period),
    totalDtoiMontoImp: facts.taxes.reduce((sum, { amount }) => sum + amount, 0),
    totalDinrMontoIVANoR: purchase ? iva.lost : 0,
    emisorAgresivo: false,
  }
}

function written(instant: number | null, write: WriteInstant): string | null {
  return instant === null ? null : write(instant)
}
