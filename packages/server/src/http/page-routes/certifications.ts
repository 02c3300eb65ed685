import { canonicalRut } from '@timbre/dte/values'
import type { CertificationUnderWay } from '../../domain/issuing/certification/operator/schema.ts'
import { OPERATOR_ACTS, type OperatorAct } from '../../domain/platform/onboarding/operator/under-way.ts'
import type { Answer } from '../../kernel/answer.ts'
import { messagePage } from '../../pages/account.ts'
import {
  CERTIFICATIONS_PATH,
  type CertificationFilters,
  certificationsAddress,
  certificationsPage,
} from '../../pages/certifications.ts'
import { asPrivate } from '../../pages/layout.ts'
import { operatorSignInPage } from '../../pages/operator.ts'
import { DONE, REFUSALS, UNKNOWN_REFUSAL } from '../../pages/operator-copy.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'
import { goTo, type OperatorRoutesParts, SIGN_IN_PATH, signedIn } from './operator-session.ts'

type Session = NonNullable<Awaited<ReturnType<typeof signedIn>>>
type Fields = Readonly<Record<string, string | undefined>>

/** What a list is narrowed to, as it was typed; an empty field narrows nothing. */
function filtersOf(fields: PlainRequest['query'], prefix = ''): CertificationFilters {
  const given = (name: string) => {
    const value = fields[prefix + name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
  const [step, waits_for, rut] = [given('step'), given('waits_for'), given('rut')]
  return {
    ...(step !== undefined && { step }),
    ...(waits_for !== undefined && { waits_for }),
    ...(rut !== undefined && { rut: canonicalRut(rut) ?? rut }),
  }
}

interface Listed {
  readonly data: readonly CertificationUnderWay[]
  readonly next_cursor: string | null
}

interface Notice {
  readonly text: string
  readonly status: number
}

/** The page as things stand now. A filter that means nothing, and a cursor of another list, show all from the beginning. */
async function show(
  { callAsOperator, query }: PlainRequest,
  { name, token }: Session,
  filters: CertificationFilters,
  notice?: Notice,
): Promise<Answer> {
  const cursor = typeof query.cursor === 'string' ? { cursor: query.cursor } : {}
  const list = (narrowed: object) => callAsOperator(token, 'onboarding.certifications.list', { query: { ...narrowed } })
  const answer = await list({ ...filters, ...cursor })
  if (answer.status === 401) return operatorSignInPage('ended')
  const [listed, shown] = answer.status < 300 ? [answer, filters] : [await list({}), {}]
  const { data, next_cursor } = JSON.parse(listed.body ?? '{}') as Listed
  return certificationsPage({ name, data, next_cursor, filters: shown, notice })
}

/** The bytes of a file, to be saved. */
async function download({ params, callAsOperator }: PlainRequest, { token }: Session): Promise<Answer> {
  const { empresa_id = '', file_id = '' } = params
  const answer = await callAsOperator(token, 'onboarding.certifications.file', { params: { empresa_id, file_id } })
  if (answer.status === 401) return operatorSignInPage('ended')
  if (answer.status < 300) return asPrivate(answer)
  const text = 'Puede que todavía no se firme, o que la empresa ya no exista. Vuelve a la lista y míralo otra vez.'
  return asPrivate(messagePage('Este archivo no está', text, { status: answer.status }))
}

const isAct = (value: unknown): value is OperatorAct => OPERATOR_ACTS.includes(value as OperatorAct)

/** What the form of an act sends beyond who acts and what they have seen. */
function sentWith(act: OperatorAct, { note, reason, details, instead_of }: Fields): object {
  const typed = (name: string, text: string | undefined) => {
    const value = (text ?? '').trim().replace(/\s+/g, ' ')
    return value === '' ? {} : { [name]: value }
  }
  if (act === 'done') return typed('note', note)
  if (act === 'refuse') return { ...typed('reason', reason), ...typed('details', details) }
  return act === 'take' ? typed('instead_of', instead_of) : {}
}

async function perform(request: PlainRequest, session: Session): Promise<Answer> {
  const { form, callAsOperator } = request
  const filters = filtersOf(form, 'filter_')
  const { act, empresa = '', step = '', seen = '' } = form
  if (!isAct(act)) return show(request, session, filters, { text: UNKNOWN_REFUSAL, status: 400 })
  const answer = await callAsOperator(session.token, `onboarding.steps.${act}`, {
    params: { empresa_id: empresa, step },
    body: { by: session.name, seen, ...sentWith(act, form) },
  })
  if (answer.status < 300) return goTo(certificationsAddress(filters, { hecho: act }))
  if (answer.status === 401) return operatorSignInPage('ended')
  const { error } = JSON.parse(answer.body ?? '{}') as { error?: { code?: string } }
  const text = REFUSALS[error?.code ?? ''] ?? UNKNOWN_REFUSAL
  return show(request, session, filters, { text, status: answer.status })
}

/** The operator's view of every certification under way. Each act is the operation of the same name, in the name of whoever signed in. */
export function certificationsRoutes(parts: OperatorRoutesParts): PlainRoute[] {
  const behind =
    (answer: (request: PlainRequest, session: Session) => Promise<Answer>): PlainRoute['answer'] =>
    async (request) => {
      const session = await signedIn(parts, request)
      return session ? answer(request, session) : goTo(SIGN_IN_PATH)
    }
  return [
    {
      path: CERTIFICATIONS_PATH,
      answer: behind((request, session) => {
        const { hecho } = request.query
        const notice = isAct(hecho) ? { text: DONE[hecho], status: 200 } : undefined
        return show(request, session, filtersOf(request.query), notice)
      }),
    },
    { path: CERTIFICATIONS_PATH, method: 'POST', answer: behind(perform) },
    { path: `${CERTIFICATIONS_PATH}/{empresa_id}/archivos/{file_id}`, answer: behind(download) },
  ]
}
