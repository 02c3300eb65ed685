import { drift, SiiFailure } from '../failure.ts'
import { type CgiDoor, filled, throughDoor } from '../portal/cgi.ts'
import { acting, factsOf, looking } from '../portal/effects.ts'
import type { PageAnswer } from '../portal/judge.ts'
import { type Form, formTo, type Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import {
  type CafFile,
  companyFields,
  type FolioQuestion,
  type FolioRange,
  numberOf,
  rangeOf,
  readCafFile,
} from './door.ts'
import { noForm, refusal } from './refusals.ts'

/** What the portal says before anything is asked for. */
export interface FolioSituation {
  /** Tipos that the company may stamp. */
  readonly tipos: readonly number[]
  /** Most folios in one request (MAX_AUTOR), where the page tells. */
  readonly max_authorised: number | null
  /** Stamped and unused (FOLIOS_DISP), where the page tells. */
  readonly unused: number | null
}

/** How many: a number, or whatever the caller makes of what the portal says. */
export interface FolioOrder extends FolioQuestion {
  readonly quantity: number | ((situation: FolioSituation) => number)
  /**
   * Told what the portal is about to give, before the act that gives it: whoever remembers it can have it again, should
   * the answer be lost with the process that waits for it.
   */
  readonly onOffer?: (range: FolioRange) => Promise<void>
}

export interface FolioGrant extends FolioSituation, CafFile {}

/**
 * The act was done or may have been: `range` is what it would have given, where the page told. The history tells
 * whether it was granted, and the file can then be obtained again.
 */
export class FoliosUncertain extends SiiFailure {
  readonly range: FolioRange | null

  constructor(failure: SiiFailure, range: FolioRange | null) {
    super(failure, { ...factsOf(failure), token_refused: false })
    this.name = 'FoliosUncertain'
    this.range = range
  }
}

/** Asks what could be asked for, and asks for nothing (steps 1 and 2 of the flow). */
export function folioSituation(wire: Wire, sessions: Sessions, question: FolioQuestion): Promise<FolioSituation> {
  return throughDoor(wire, sessions, question, 'of_solicita_folios', async (door) => {
    const { situation } = await looking(() => lookUp(door, question))
    return situation
  })
}

/**
 * Asks for folios (PROTOCOLS 10). No more than the portal says it gives at once: whoever asks for more gets that many,
 * as the form itself would have it.
 */
export function requestFolios(wire: Wire, sessions: Sessions, question: FolioOrder): Promise<FolioGrant> {
  return throughDoor(wire, sessions, question, 'of_solicita_folios', async (door) => {
    const { situation, offer } = await looking(async () => {
      const found = await lookUp(door, question)
      return { ...found, offer: await confirm(door, question, found) }
    })
    const range = rangeOf(offer.fields)
    if (range) await question.onOffer?.(range)
    try {
      const caf = await acting(() => generate(door, offer))
      return { ...situation, ...caf }
    } catch (failure) {
      throw failure instanceof SiiFailure && (failure.sent || failure.reason === 'already_authorised')
        ? new FoliosUncertain(failure, range)
        : failure
    }
  })
}

interface LookedUp {
  readonly situation: FolioSituation
  readonly form: Form
}

/** Steps 1 and 2. The quantity stays blank: with one, the portal leaves out what it would give at most. */
async function lookUp(door: CgiDoor, question: FolioQuestion): Promise<LookedUp> {
  await door.step('of_solicita_folios', null, readEntrance)
  const fields = new Map([...companyFields(question), ['FOLIO_INICIAL', ''], ['CANT_DOCTOS', '']])
  return door.step('of_solicita_folios_dcto', fields, (answer) => ({ value: readOffers(answer.page, question.tipo) }))
}

function readEntrance({ page }: PageAnswer) {
  if (formTo(page, 'of_solicita_folios_dcto') === null && formTo(page, 'of_confirma_folio') === null) {
    throw noForm(page, 'form to of_solicita_folios_dcto')
  }
  return { value: undefined }
}

function readOffers(page: Page, tipo: number): LookedUp {
  const options = page.forms.flatMap(({ selects }) => selects.get('COD_DOCTO') ?? [])
  const tipos = options.flatMap(({ value }) => (/^\d{2,3}$/.test(value) ? [Number(value)] : []))
  if (tipos.length > 0 && !tipos.includes(tipo)) {
    throw refusal('tipo_not_enabled', options.map(({ label }) => label).join(', '))
  }
  const form = formTo(page, 'of_confirma_folio')
  if (form === null) throw noForm(page, 'form to of_confirma_folio')
  const situation = {
    tipos,
    max_authorised: numberOf(form.fields.get('MAX_AUTOR')),
    unused: numberOf(form.fields.get('FOLIOS_DISP')),
  }
  return { situation, form }
}

const BLANK = ['AFECTO_IVA', 'ANOTACION', 'CON_CREDITO', 'CON_AJUSTE', 'FACTOR'] as const
/** The page's script adds these to the form; without them the portal answers an empty page. */
const ADDED = [
  ['CON_CREDITO', '0'],
  ['CON_AJUSTE', '0'],
] as const

/** Step 3, and for boletas once more with the first folio that the portal proposes. */
async function confirm(door: CgiDoor, question: FolioOrder, { situation, form }: LookedUp): Promise<Form> {
  // A maximum of 0 is shown to companies that get folios all the same: it bounds nothing.
  const wanted = typeof question.quantity === 'number' ? question.quantity : question.quantity(situation)
  const quantity = Math.min(wanted, situation.max_authorised || wanted)
  const blanks = BLANK.filter((name) => !form.fields.has(name)).map((name) => [name, ''] as const)
  const fields = filled(form, [...blanks, ...companyFields(question), ['CANT_DOCTOS', String(quantity)]])
  if (!fields.has('ACEPTAR')) fields.set('ACEPTAR', 'Solicitar Numeración')
  const answered = await door.step('of_confirma_folio', fields, ({ page }) => ({ value: readConfirmation(page) }))
  if (answered.offer) return answered.form
  const again = filled(answered.form, ADDED)
  const last = await door.step('of_confirma_folio', again, ({ page }) => ({ value: readConfirmation(page) }))
  if (last.offer) return last.form
  throw failureOf(question, 'form to of_genera_folio')
}

function readConfirmation(page: Page): { readonly offer: boolean; readonly form: Form } {
  const offer = formTo(page, 'of_genera_folio')
  if (offer?.fields.has('FOLIO_INI')) return { offer: true, form: offer }
  const again = formTo(page, 'of_confirma_folio')
  if (again !== null && numberOf(again.fields.get('FOLIO_INICIAL')) !== null) return { offer: false, form: again }
  throw noForm(page, 'form to of_genera_folio')
}

/** Steps 4, which issues the folios, and 5, which brings the file. */
async function generate(door: CgiDoor, offer: Form): Promise<CafFile> {
  const fields = filled(offer, ADDED)
  if (!fields.has('ACEPTAR')) fields.set('ACEPTAR', 'Obtener Folios')
  const form = await door.step('of_genera_folio', fields, ({ page }) => {
    const archive = formTo(page, 'of_genera_archivo')
    if (archive === null) throw noForm(page, 'form to of_genera_archivo')
    return { value: archive }
  })
  const last = filled(form, [])
  if (!last.has('ACEPTAR')) last.set('ACEPTAR', 'AQUI')
  // From here on the folios exist: no sentence of the page can take them back.
  try {
    return await door.step('of_genera_archivo', last, readCafFile)
  } catch (failure) {
    throw failure instanceof SiiFailure ? new SiiFailure(failure, { ...factsOf(failure), sent: true }) : failure
  }
}

function failureOf({ ambiente }: FolioQuestion, what: string): SiiFailure {
  return new SiiFailure({ service: 'dte', operation: 'of_confirma_folio', ambiente }, drift(what).facts)
}
