import { drift } from '../failure.ts'
import { type CgiDoor, filled, throughDoor } from '../portal/cgi.ts'
import { looking } from '../portal/effects.ts'
import { type Form, formsTo, formTo, type Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { type CafFile, type FolioQuestion, type FolioRange, rangeOf, readCafFile } from './door.ts'
import { readPages, readRanges } from './list-pages.ts'
import { noForm, notOffered, refusalOf, saysNone } from './refusals.ts'

const LIST = 'rf_reobtencion2_folios'

/** Ranges whose CAF can be had again. The list has annulled ones too: only opening one tells (PROTOCOLS 10). */
export function reobtainableFolios(wire: Wire, sessions: Sessions, question: FolioQuestion): Promise<FolioRange[]> {
  return throughDoor(wire, sessions, question, 'rf_reobtencion1_folios', (door) =>
    looking(async () => {
      await enter(door)
      return readRanges(door, LIST, question, (page) => offersOf(page).flatMap(({ fields }) => rangeOf(fields) ?? []))
    }),
  )
}

/** Brings the CAF of a range that was granted before. It stamps nothing, so it may be asked again at will. */
export function reobtainFolios(wire: Wire, sessions: Sessions, question: FolioQuestion & FolioRange): Promise<CafFile> {
  return throughDoor(wire, sessions, question, 'rf_reobtencion1_folios', (door) =>
    looking(async () => {
      await enter(door)
      const offer = await readPages(door, LIST, question, { find: (page) => pick(page, question), end: notOffered })
      const opened = await follow(door, 'rf_reobtencion3_folios', offer, 'rf_genera_folio')
      const archive = await follow(door, 'rf_genera_folio', opened, 'rf_genera_archivo')
      const fields = filled(archive, [])
      if (!fields.has('ACEPTAR')) fields.set('ACEPTAR', 'AQUI')
      return door.step('rf_genera_archivo', fields, readCafFile)
    }),
  )
}

async function enter(door: CgiDoor): Promise<void> {
  await door.step('rf_reobtencion1_folios', null, ({ page }) => {
    if (formTo(page, LIST) === null) throw noForm(page, `form to ${LIST}`)
    return { value: undefined }
  })
}

/** One form for each range. */
function offersOf(page: Page): readonly Form[] {
  const forms = formsTo(page, 'rf_reobtencion3_folios').filter(({ fields }) => rangeOf(fields) !== null)
  if (forms.length === 0 && !saysNone(page)) throw noForm(page, 'form to rf_reobtencion3_folios')
  return forms
}

function pick(page: Page, wanted: FolioRange): Form | null {
  const offer = offersOf(page).find(({ fields }) => {
    const range = rangeOf(fields)
    return range?.from === wanted.from && range.to === wanted.to
  })
  return offer ?? null
}

/** Sends a form and brings the one to the next program. A range that was annulled says so and has a form all the same. */
function follow(door: CgiDoor, program: string, form: Form, next: string): Promise<Form> {
  return door.step(program, filled(form, []), ({ page }) => {
    const refused = refusalOf(page)
    if (refused?.facts.reason === 'range_annulled') throw refused
    const found = formTo(page, next)
    if (found === null) throw refused ?? drift(`form to ${next}`)
    return { value: found }
  })
}
