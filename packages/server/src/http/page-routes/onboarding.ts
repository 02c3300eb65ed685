import { canonicalRut } from '@timbre/dte/values'
import { CEILINGS } from '../../catalog/limits.ts'
import type { Person, PersonRole } from '../../catalog/roles.ts'
import type { PageContext } from '../../domain/context.ts'
import { listSamples, readSample } from '../../domain/issuing/certification/shown-samples.ts'
import { judgePfx } from '../../domain/platform/certificate/upload.ts'
import { currentTerms } from '../../domain/platform/mandato/terms.ts'
import { declarationOf } from '../../domain/platform/onboarding/declarations.ts'
import { isStepKey, stepOf } from '../../domain/platform/onboarding/lanes.ts'
import { readOnboarding } from '../../domain/platform/onboarding/read.ts'
import {
  attestByLink,
  decideByLink,
  LinkGone,
  recheckByLink,
  revokeByLink,
  signByLink,
  storeByLink,
  uploadByLink,
} from '../../domain/platform/onboarding-link/act.ts'
import { PAGES_PATH } from '../../domain/platform/onboarding-link/mint.ts'
import {
  type OpenedLink,
  openOnboardingLink,
  type PageFacts,
  readPage,
} from '../../domain/platform/onboarding-link/open.ts'
import { REVOCATION } from '../../domain/platform/onboarding-link/schema.ts'
import type { Reactions } from '../../domain/reactions.ts'
import type { Answer } from '../../kernel/answer.ts'
import { nowOf } from '../../kernel/clock.ts'
import { OwnerGone } from '../../kernel/owner.ts'
import { Problem } from '../../kernel/problem.ts'
import { Closed, OneLine } from '../../kernel/schema.ts'
import type { Transactor } from '../../kernel/transactor.ts'
import { validate } from '../../kernel/validate.ts'
import {
  asksForWord,
  donePage,
  endedPage,
  type OnboardingView,
  onboardingPage,
  recheckedPage,
  subscriptionPage,
  tooLatePage,
  troubleOf,
} from '../../pages/onboarding.ts'
import { certificateTrouble, type Done, type Trouble } from '../../pages/onboarding-copy.ts'
import { SAMPLES_PATH } from '../../pages/onboarding-samples.ts'
import type { Addresses, Ports } from '../../ports/ports.ts'
import { fileAnswer } from '../answers.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'
import { type SharedLinkParts, sharedLinkRoute } from './shared-link.ts'

export interface OnboardingRoutesParts extends SharedLinkParts {
  readonly ports: Ports
  readonly addresses: Addresses
  readonly transactor: Transactor
  readonly reactions: Reactions
}

/** What was typed does not do; the page is shown again with it. */
class Wrong extends Error {
  readonly field: Trouble | 'certificate'
  constructor(field: Trouble | 'certificate') {
    super(field)
    this.field = field
  }
}

const Line = Closed({ text: OneLine(500) })

/** Whether a text is what the API takes for one of one line. */
function isLine(text: string): boolean {
  try {
    validate(Line, { text }, 'body')
    return true
  } catch {
    return false
  }
}

/** Whoever says that they act, who is the person that the page is for where it is for one. */
function personOf<Role extends PersonRole>({ request: { form }, link }: Sent, role: Role): Person & { role: Role } {
  const name = (form.name ?? '').trim().replace(/\s+/g, ' ')
  if (name === '' || name.length > 100) throw new Wrong('name')
  if (!isLine(name)) throw new Wrong('hidden')
  if (name.length < 3) throw new Wrong('short')
  const rut = canonicalRut((form.rut ?? '').trim())
  if (rut === null) throw new Wrong('rut')
  if (link.person && link.person.rut !== rut) throw new Wrong('other_person')
  return { rut, name, role }
}

interface Sent {
  readonly parts: OnboardingRoutesParts
  readonly link: OpenedLink
  readonly facts: PageFacts
  readonly request: PlainRequest
}

const pathOf = ({ params }: PlainRequest) => `${PAGES_PATH}/${params.slug}`

/** Reads around a transaction: what a page shows before and after its act. */
const reading = ({ sql, ports, addresses }: OnboardingRoutesParts, { scope, clock }: OpenedLink) => ({
  sql,
  ports,
  addresses,
  empresa: scope,
  now: () => nowOf(clock),
})

/** One transaction in which the holder of the link acts, as the call of a credential would. */
function transact<T>({ parts, link, request }: Sent, work: (ctx: PageContext) => Promise<T>): Promise<T> {
  const { ports, addresses, reactions, transactor } = parts
  const { scope, clock, id } = link
  const { account_id, mode, empresa_id, rut } = scope
  const { ip, request_id, header } = request
  const empresa = { id: empresa_id, rut }
  return transactor.transact({ account_id, mode, empresa_id, clock }, (sql, unit) =>
    work({
      request_id,
      sql,
      ports,
      addresses,
      reactions,
      clock,
      account: { account_id, mode },
      empresa: scope,
      now: () => nowOf(clock),
      origin: { via: 'hosted_page', ip, user_agent: header('user-agent') ?? null },
      enqueue: unit.enqueue.bind(unit, sql),
      invalidate: unit.invalidate.bind(unit),
      emit: (event) => unit.emit({ empresa, ...event }),
      audit: (act) => unit.audit({ account_id, mode, empresa, ...act, actor: { kind: 'link', id, ip, request_id } }),
    }),
  )
}

/** The step whose page shows printed samples. */
const SAMPLED = 'muestras_impresas'

const materialOf = ({ sql, reactions }: OnboardingRoutesParts, { scope, page }: OpenedLink) =>
  reactions.materialOf({ sql }, scope, page)

/** What a page shows, with what was prepared to be approved on it. */
async function viewOf(
  parts: OnboardingRoutesParts,
  link: OpenedLink,
  facts: PageFacts,
  request: PlainRequest,
): Promise<OnboardingView> {
  const material = await materialOf(parts, link)
  const samples = material && link.page === SAMPLED ? await listSamples(parts.sql, link.scope) : []
  return { link, facts, path: pathOf(request), now: nowOf(link.clock), material, samples }
}

type Handled = Done | Answer

async function sign(sent: Sent): Promise<Handled> {
  const { form } = sent.request
  const signer = personOf(sent, 'representante_legal')
  if (form.representante !== 'si') throw new Wrong('representante')
  if (form.version !== currentTerms().version) throw new Wrong('changed')
  await transact(sent, (ctx) => signByLink(ctx, sent.link, signer, form.version ?? ''))
  return 'signed'
}

async function revoke(sent: Sent): Promise<Handled> {
  const signer = personOf(sent, 'representante_legal')
  if (sent.request.form.representante !== 'si') throw new Wrong('representante')
  await transact(sent, (ctx) => revokeByLink(ctx, sent.link, signer))
  return 'revoked'
}

/** The file is opened before the transaction, as for the API. */
async function upload(sent: Sent): Promise<Handled> {
  const { parts, link, request } = sent
  const { file = '', password = '' } = request.form
  if (file === '') throw new Wrong('certificate')
  const { ports } = parts
  const ctx = { ports, account: link.scope, now: () => nowOf(link.clock) }
  const opened = await judgePfx(ctx, Buffer.from(file, 'base64'), password)
  if (link.person && link.person.rut !== opened.facts.holder_rut) throw new Wrong('other_certificate')
  await transact(sent, (tx) => uploadByLink(tx, link, opened))
  return 'certificate'
}

async function store(sent: Sent): Promise<Handled> {
  const by = personOf(sent, 'titular_certificado')
  const { password = '' } = sent.request.form
  if (!isLine(password) || password.length > 200) throw new Wrong('password')
  await transact(sent, (ctx) => storeByLink(ctx, sent.link, { rut: by.rut, password }, by))
  return 'credential'
}

async function decide(sent: Sent, role: PersonRole): Promise<Handled> {
  const { facts, link, request } = sent
  const { decision, reason: typed = '', sha256, reviewed } = request.form
  const act = facts.onboarding.pending_action?.approval?.act
  if (!act) throw new LinkGone()
  const approved_by = personOf(sent, role)
  if (reviewed !== 'si') throw new Wrong('reviewed')
  if (decision !== 'approve' && decision !== 'decline') throw new Wrong('decision')
  const material = await materialOf(sent.parts, link)
  const declaration = declarationOf(act, facts.row, material)
  if (sha256 !== declaration.sha256) throw new Wrong('changed')
  const reason = typed.trim().replace(/\s+/g, ' ')
  if (reason !== '' && (reason.length > 500 || !isLine(reason))) throw new Wrong('reason')
  const shown = material?.sha256 ?? null
  const decided = { decision, approved_by, reason: reason === '' ? null : reason, declaration, shown } as const
  await transact(sent, (ctx) => decideByLink(ctx, link, decided))
  return decision === 'approve' ? 'approved' : 'declined'
}

async function elsewhere(sent: Sent): Promise<Handled> {
  const { facts, link, request } = sent
  const action = facts.onboarding.pending_action
  if (!action?.verification) throw new LinkGone()
  if (!asksForWord(action, facts.onboarding)) {
    const { message } = await transact(sent, (ctx) => recheckByLink(ctx, link))
    return recheckedPage(message, pathOf(request))
  }
  const performed_by = personOf(sent, action.performed_by.role)
  await transact(sent, (ctx) => attestByLink(ctx, link, performed_by))
  return 'attested'
}

function handle(sent: Sent): Promise<Handled> {
  const { link, facts, request } = sent
  if (link.page === REVOCATION) return revoke(sent)
  if (link.page === 'mandato') return sign(sent)
  if (link.page === 'certificate' || request.form.act === 'certificate') return upload(sent)
  if (link.page === 'credential') return store(sent)
  const approval = facts.onboarding.pending_action?.approval
  if (approval && isStepKey(link.page) && stepOf(link.page).approval) return decide(sent, approval.role)
  return elsewhere(sent)
}

async function refusal(sent: Sent, error: unknown): Promise<Answer> {
  const { parts, link, facts, request } = sent
  const { name = '', rut = '', reason = '' } = request.form
  const view = { ...(await viewOf(parts, link, facts, request)), typed: { name, rut, reason } }
  if (error instanceof Wrong) return onboardingPage({ ...view, trouble: troubleOf(error.field) })
  if (error instanceof LinkGone || error instanceof OwnerGone) return tooLatePage()
  if (!(error instanceof Problem)) throw error
  const { code } = error
  const { details } = error.facts
  if (/certificate/.test(code)) {
    const field = details?.reason === 'wrong_password' ? 'certificate_password' : 'certificate'
    return onboardingPage({ ...view, trouble: { field, text: certificateTrouble(details?.reason) } })
  }
  if (code === 'subscription_required') return subscriptionPage(String(details?.checkout_url))
  if (code === 'mandato_terms_outdated') return onboardingPage({ ...view, trouble: troubleOf('changed') })
  if (error.status < 500) return tooLatePage()
  throw error
}

async function submit(parts: OnboardingRoutesParts, link: OpenedLink, request: PlainRequest): Promise<Answer> {
  const facts = link.ended ? null : await readPage(reading(parts, link), link.page)
  if (!facts?.waits) return endedPage(link.ended ?? 'moved')
  const sent = { parts, link, facts, request }
  try {
    const handled = await handle(sent)
    if (typeof handled !== 'string') return handled
    const after = await readPage(reading(parts, link), link.page)
    // The page of the credential may have another thing to ask for.
    if (after?.waits && (handled === 'certificate' || handled === 'credential'))
      return onboardingPage(await viewOf(parts, link, after, request))
    return donePage(handled, await readOnboarding(reading(parts, link)))
  } catch (error) {
    return await refusal(sent, error)
  }
}

async function show(parts: OnboardingRoutesParts, link: OpenedLink, request: PlainRequest): Promise<Answer> {
  const facts = link.ended ? null : await readPage(reading(parts, link), link.page)
  if (!facts?.waits) return endedPage(link.ended ?? 'moved')
  return onboardingPage(await viewOf(parts, link, facts, request))
}

/** The file of a sample, for whoever has the link of the page that shows it, while that page asks for something. */
async function showSample(parts: OnboardingRoutesParts, link: OpenedLink, { params }: PlainRequest): Promise<Answer> {
  const facts = link.ended ? null : await readPage(reading(parts, link), link.page)
  if (!facts?.waits) return endedPage(link.ended ?? 'moved')
  const sample = link.page === SAMPLED ? await readSample(parts.sql, link.scope, params.file_id ?? '') : null
  if (!sample) return endedPage('moved')
  const file = fileAnswer(sample, 'inline')
  // A policy that forbids more than this keeps browsers from drawing the PDF.
  return { ...file, headers: { ...file.headers, 'Content-Security-Policy': "frame-ancestors 'none'; base-uri 'none'" } }
}

/** Pages where a person does a step of an onboarding. The slug is the only credential; opening one changes nothing. */
export function onboardingRoutes(parts: OnboardingRoutesParts): PlainRoute[] {
  const route = sharedLinkRoute(parts, openOnboardingLink)
  const path = `${PAGES_PATH}/{slug}`
  return [
    { path, answer: route((link, request) => show(parts, link, request)) },
    {
      path: `${path}/${SAMPLES_PATH}/{file_id}`,
      answer: route((link, request) => showSample(parts, link, request)),
    },
    {
      path,
      method: 'POST',
      takes_file: true,
      body_bytes: CEILINGS.certificate_body_bytes,
      answer: route((link, request) => submit(parts, link, request)),
    },
  ]
}
