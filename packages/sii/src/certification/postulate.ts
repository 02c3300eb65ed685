import { drift } from '../failure.ts'
import type { CgiDoor } from '../portal/cgi.ts'
import { acting, looking } from '../portal/effects.ts'
import { fold } from '../portal/fold.ts'
import { type Form, formTo, type Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Read, Wire } from '../wire.ts'
import { type CertificationQuestion, certifying, entered } from './door.ts'
import { boxesFor, type PostulatedTipo } from './postulated-tipos.ts'
import { refusal, refusalOf } from './refusals.ts'
import { sentencesOf, stepSentence } from './sentences.ts'

export interface PostulationOrder extends CertificationQuestion {
  readonly tipos: readonly PostulatedTipo[]
  /**
   * A taxpayer that uses the free system of the SII loses it for facturas. Without this, a page that says so ends the
   * postulation before anything was confirmed.
   */
  readonly accept_loss_of_sfg: boolean
}

export type Postulation =
  /** `before`: it had been postulated already, and nothing was done. */
  | { readonly postulated: true; readonly before: boolean; readonly sentence: string; readonly warning: string | null }
  /** The page warns, and nobody has accepted it: nothing was done. */
  | { readonly postulated: false; readonly warning: string }

/** Pages between the first one and the one with the boxes: the company, the conditions, its data. */
const MAX_PAGES = 5

/** Postulates the taxpayer for some tipos (`pe_ingrut`, the conditions, `pe_datos_empresa`, `pe_confirma`). */
export function postulate(wire: Wire, sessions: Sessions, order: PostulationOrder): Promise<Postulation> {
  return certifying(wire, sessions, order, 'pe_ingrut', async (door) => {
    const reached = await looking(() => reachConfirmation(door, order))
    if (!('fields' in reached)) return reached
    const { warning } = reached
    return acting(() =>
      door.step('pe_confirma', reached.fields, ({ page }): Read<Postulation> => {
        const before = alreadyThere(page)
        const sentence = before ?? confirmed(page)
        return { value: { postulated: true, before: before !== null, sentence, warning } }
      }),
    )
  })
}

type Reached = Postulation | { readonly fields: [string, string][]; readonly warning: string | null }

/** Goes from page to page by the one form that each has; the program of the conditions is in no source. */
async function reachConfirmation(door: CgiDoor, order: PostulationOrder): Promise<Reached> {
  let warning: string | null = null
  let program = 'pe_ingrut'
  let fields: Map<string, string> | null = null
  for (let pages = 1; ; pages++) {
    const next: Next = await door.step(program, fields, ({ page }) => ({ value: nextOf(page, order, pages) }))
    if ('done' in next) return next.done
    warning ??= next.warning
    if (warning !== null && !order.accept_loss_of_sfg) return { postulated: false, warning }
    if (next.program === 'pe_confirma') {
      return { fields: [...next.sent, ...next.boxes], warning }
    }
    program = next.program
    fields = next.sent
  }
}

type Next =
  | { readonly done: Postulation }
  | {
      readonly program: string
      readonly sent: Map<string, string>
      readonly boxes: [string, string][]
      readonly warning: string | null
    }

function nextOf(page: Page, order: PostulationOrder, pages: number): Next {
  const warning = lossOfSfg(page)
  const last = formTo(page, 'pe_confirma')
  if (last !== null) {
    const { tick, missing } = boxesFor(page.checkboxes, order.tipos)
    if (missing !== null) throw refusal('other', `La postulación no ofrece el documento ${missing}.`)
    const boxes = new Set(page.checkboxes.map(({ name }) => name))
    const sent = new Map([...entered(last, order)].filter(([name]) => !boxes.has(name)))
    return { program: 'pe_confirma', sent, boxes: tick, warning }
  }
  const before = alreadyThere(page)
  if (before !== null) return { done: { postulated: true, before: true, sentence: before, warning } }
  const forms = page.forms.flatMap((form) => {
    const program = programOf(form)
    return program === null ? [] : [{ form, program }]
  })
  const [only] = forms
  if (only === undefined || forms.length > 1 || pages > MAX_PAGES) throw refusalOf(page) ?? drift('form to pe_confirma')
  return { program: only.program, sent: entered(only.form, order), boxes: [], warning }
}

/** Programs of the postulation only: a page may hold a form to search, or to leave. */
function programOf({ action }: Form): string | null {
  const program = /(?:^|\/)(pe_[a-z0-9_]+)$/i.exec((action ?? '').split('?')[0] ?? '')?.[1] ?? null
  return program !== null && /^pe_(generar|avance)/i.test(program) ? null : program
}

/** Which words the page has is not verified: whatever speaks of the free system and of losing it counts. */
function lossOfSfg(page: Page): string | null {
  const found = sentencesOf(page).find((sentence) => {
    const folded = fold(sentence)
    const free =
      /sistema (de facturacion )?gratuit|facturacion (electronica )?gratuita|mipyme|portal (de )?sii|factura.{0,20} gratuit/
    return free.test(folded) && /pierd|perder|dejara de|no podra|ya no|perdida|deja de/.test(folded)
  })
  return found ?? null
}

function alreadyThere(page: Page): string | null {
  const said = stepSentence(page)
  if (said !== null && !said.moved) return said.sentence
  const there = /ya (se encuentra|esta|fue|ha sido)[^.]{0,60}(postula|autorizad|certifica|inscri)/
  return sentencesOf(page).find((sentence) => there.test(fold(sentence))) ?? null
}

/** How the SII confirms is in no source: a page that does not speak of it in one of these ways raises the alarm. */
function confirmed(page: Page): string {
  const refused = refusalOf(page)
  if (refused !== null && refused.facts.reason !== 'other') throw refused
  const said = stepSentence(page)
  if (said !== null) return said.sentence
  const done =
    /(postulacion|empresa|solicitud|inscripcion|contribuyente)[^.]{0,80}(ha sido|fue|ha quedado|quedo|se encuentra|esta) (\w+ ){0,2}(autorizad|registrad|ingresad|aceptad|inscrit|postulad|realizad|habilitad|confirmad)/
  const sentence = sentencesOf(page).find((one) => done.test(fold(one)) && !/\bno (ha|fue|se|esta)\b/.test(fold(one)))
  if (sentence === undefined) throw refused ?? drift('confirmation of pe_confirma')
  return sentence
}
