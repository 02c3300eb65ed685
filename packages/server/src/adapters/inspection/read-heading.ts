import type { AnyDte, XmlElement } from '@timbre/dte'
import { canonicalRut, isCivilDate } from '@timbre/dte/values'
import type { Heading } from '../../ports/inspection.ts'
import { clip } from './bounds.ts'

type TextAt = (element: XmlElement, ...path: string[]) => string | undefined

const FORMS: Readonly<Record<string, Heading['payment_form']>> = { 1: 'cash', 2: 'credit', 3: 'free' }
const MOST_PESOS = 999_999_999_999_999
const NAME_LETTERS = 200

function whole(text: string | undefined, most: number): number | null {
  if (text === undefined || !/^-?\d{1,18}$/.test(text)) return null
  const value = Number(text)
  return Math.abs(value) <= most ? value : null
}

/** As the engine reads it: a decimal part of zeros is common. Zero when the element is not there, null when it is none. */
function pesosOf(text: string | undefined): number | null {
  const written = text?.trim() ?? ''
  return written === '' ? 0 : whole(written.replace(/^\+|\.0*$/g, ''), MOST_PESOS)
}

const dateOf = (text: string | undefined) => (text !== undefined && isCivilDate(text) ? text : null)

type At = (...path: string[]) => string | undefined

function amounts(at: At) {
  const pesos = (name: string) => pesosOf(at('Totales', name))
  const total = at('Totales', 'MntTotal') ? pesos('MntTotal') : null
  return { net: pesos('MntNeto'), exempt: pesos('MntExe'), iva: pesos('IVA'), total }
}

const PESOS = 'PESO CL'

/**
 * An export is in its currency: what it is in pesos stands in OtraMoneda (Formato DTE v2.4.2, documentos de exportación).
 * A thousand dollars are never a thousand pesos: where it does not tell, nothing is known.
 */
function exportAmounts(at: At) {
  const rounded = (text: string | undefined) =>
    text !== undefined && /^\d{1,15}(\.\d{1,4})?$/.test(text)
      ? whole(String(Math.round(Number(text))), MOST_PESOS)
      : null
  const own = at('Totales', 'TpoMoneda') === PESOS
  const other = at('OtraMoneda', 'TpoMoneda') === PESOS
  const total = own ? at('Totales', 'MntTotal') : other ? at('OtraMoneda', 'MntTotOtrMnda') : undefined
  const exempt = own ? at('Totales', 'MntExe') : other ? at('OtraMoneda', 'MntExeOtrMnda') : undefined
  return { net: 0, exempt: rounded(exempt ?? total), iva: 0, total: rounded(total) }
}

/** Null when it lacks its emisor, tipo, folio, date or total, or tells an amount that is none: that is never a zero. */
export function headingOf(documento: XmlElement, textAt: TextAt): Heading | null {
  const at = (...path: string[]) => textAt(documento, 'Encabezado', ...path)
  const tipo_dte = whole(at('IdDoc', 'TipoDTE'), 999)
  const folio = whole(at('IdDoc', 'Folio'), 9_999_999_999)
  const issue_date = dateOf(at('IdDoc', 'FchEmis'))
  const emisor_rut = canonicalRut(at('Emisor', 'RUTEmisor') ?? '')
  const { net, exempt, iva, total } = documento.name === 'Exportaciones' ? exportAmounts(at) : amounts(at)
  if (!tipo_dte || tipo_dte < 1 || !folio || folio < 1 || !issue_date || !emisor_rut) return null
  if (net === null || exempt === null || iva === null || total === null) return null
  return {
    tipo_dte,
    folio,
    issue_date,
    emisor_rut,
    emisor_name: clip(at('Emisor', 'RznSoc') ?? at('Emisor', 'RznSocEmisor') ?? '', NAME_LETTERS),
    emisor_giro: clip(at('Emisor', 'GiroEmis') ?? at('Emisor', 'GiroEmisor') ?? '', NAME_LETTERS) || null,
    receptor_rut: canonicalRut(at('Receptor', 'RUTRecep') ?? ''),
    net,
    exempt,
    iva,
    total,
    payment_form: FORMS[at('IdDoc', 'FmaPago') ?? ''] ?? null,
    due_date: dateOf(at('IdDoc', 'FchVenc')),
  }
}

/** Names as the engine reads them: it puts right what was written in one encoding and declared in another. */
export function namedBy(heading: Heading, dte: AnyDte | null): Heading {
  if (dte === null) return heading
  const { legal_name, giro } = dte.emisor
  return { ...heading, emisor_name: legal_name || heading.emisor_name, emisor_giro: giro ?? heading.emisor_giro }
}
