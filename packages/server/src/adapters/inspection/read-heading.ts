import type { Dte, XmlElement } from '@timbre/dte'
import { canonicalRut, isCivilDate } from '@timbre/dte/values'
import type { Heading } from '../../ports/inspection.ts'

type TextAt = (element: XmlElement, ...path: string[]) => string | undefined

const FORMS: Readonly<Record<string, Heading['payment_form']>> = { 1: 'cash', 2: 'credit', 3: 'free' }
const MOST_PESOS = 999_999_999_999_999

function whole(text: string | undefined, most: number): number | null {
  if (text === undefined || !/^-?\d{1,18}$/.test(text)) return null
  const value = Number(text)
  return Math.abs(value) <= most ? value : null
}

const dateOf = (text: string | undefined) => (text !== undefined && isCivilDate(text) ? text : null)

/** Null when it lacks what identifies a document: its emisor, tipo, folio, date and total. */
export function headingOf(documento: XmlElement, textAt: TextAt): Heading | null {
  const at = (...path: string[]) => textAt(documento, 'Encabezado', ...path)
  const pesos = (name: string) => whole(at('Totales', name), MOST_PESOS)
  const tipo_dte = whole(at('IdDoc', 'TipoDTE'), 999)
  const folio = whole(at('IdDoc', 'Folio'), 9_999_999_999)
  const issue_date = dateOf(at('IdDoc', 'FchEmis'))
  const emisor_rut = canonicalRut(at('Emisor', 'RUTEmisor') ?? '')
  const total = pesos('MntTotal')
  if (!tipo_dte || tipo_dte < 1 || !folio || folio < 1 || !issue_date || !emisor_rut || total === null) return null
  return {
    tipo_dte,
    folio,
    issue_date,
    emisor_rut,
    emisor_name: at('Emisor', 'RznSoc') ?? at('Emisor', 'RznSocEmisor') ?? '',
    emisor_giro: at('Emisor', 'GiroEmis') ?? at('Emisor', 'GiroEmisor') ?? null,
    receptor_rut: canonicalRut(at('Receptor', 'RUTRecep') ?? ''),
    net: pesos('MntNeto') ?? 0,
    exempt: pesos('MntExe') ?? 0,
    iva: pesos('IVA') ?? 0,
    total,
    payment_form: FORMS[at('IdDoc', 'FmaPago') ?? ''] ?? null,
    due_date: dateOf(at('IdDoc', 'FchVenc')),
  }
}

/** Names as the engine reads them: it puts right what was written in one encoding and declared in another. */
export function namedBy(heading: Heading, dte: Dte | null): Heading {
  if (dte === null) return heading
  const { legal_name, giro } = dte.emisor
  return { ...heading, emisor_name: legal_name || heading.emisor_name, emisor_giro: giro ?? heading.emisor_giro }
}
