import { drift } from '../failure.ts'
import { filled, throughDoor } from '../portal/cgi.ts'
import { acting, looking } from '../portal/effects.ts'
import { type Form, formsTo, formTo, type Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { companyFields, type FolioQuestion, type FolioRange, rangeOf } from './door.ts'
import { readPages } from './list-pages.ts'
import { noForm, notOffered, refusalOf, saysNone } from './refusals.ts'

export interface FolioAnnulment extends FolioQuestion, FolioRange {
  readonly reason: string
}

/**
 * Annuls folios that the SII never received; only whoever stamped them may (PROTOCOLS 10). Folios that were annulled
 * before are annulled: `before` tells. It counts against the company for about six months.
 */
export function annulFolios(
  wire: Wire,
  sessions: Sessions,
  annulment: FolioAnnulment,
): Promise<{ readonly before: boolean }> {
  return throughDoor(wire, sessions, annulment, 'af_anular1', async (door) => {
    const { fields, form } = await looking(async () => {
      const parent = await readPages(door, 'af_anular2', annulment, {
        find: (page) => rangeAround(page, annulment),
        end: notOffered,
      })
      const opened = await door.step('af_anular3', filled(parent, companyFields(annulment)), ({ page }) => ({
        value: readOpened(page),
      }))
      return { fields: parent.fields, form: opened }
    })
    if (form === null) return { before: true }
    const sent = new Map([
      ...form.fields,
      ...form.buttons,
      ...companyFields(annulment),
      ...['FOLIO_INI', 'FOLIO_FIN'].map((name): [string, string] => [name, fields.get(name) ?? '']),
      ['FOLIO_INI_A', String(annulment.from)],
      ['FOLIO_FIN_A', String(annulment.to)],
      ['MOTIVO', annulment.reason],
    ])
    return acting(() => door.step('af_anular', sent, ({ page }) => ({ value: readResult(page) })))
  })
}

/** The form of the range that holds the folios; null where the page does not list it. */
function rangeAround(page: Page, wanted: FolioRange): Form | null {
  const forms = formsTo(page, 'af_anular3').filter(({ fields }) => rangeOf(fields) !== null)
  if (forms.length === 0 && !saysNone(page)) throw noForm(page, 'form to af_anular3')
  const holds = forms.find(({ fields }) => {
    const range = rangeOf(fields)
    return range !== null && range.from <= wanted.from && wanted.to <= range.to
  })
  return holds ?? null
}

/** Null where the page says that they are annulled already. */
function readOpened(page: Page): Form | null {
  const form = formTo(page, 'af_anular')
  if (form !== null) return form
  const refused = refusalOf(page)
  if (refused?.facts.reason === 'range_annulled') return null
  throw refused ?? drift('form to af_anular')
}

function readResult(page: Page): { before: boolean } {
  if (/ha autorizado la anulacion|anulacion (ha sido|fue) (autorizada|realizada)/.test(page.folded)) {
    return { before: false }
  }
  const refused = refusalOf(page)
  if (refused?.facts.reason === 'range_annulled') return { before: true }
  throw refused ?? drift('result of af_anular')
}
