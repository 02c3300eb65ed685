import type { PersonRole } from '../../../catalog/roles.ts'
import { judgePfx } from '../../../domain/platform/certificate/upload.ts'
import { currentTerms } from '../../../domain/platform/mandato/terms.ts'
import { declarationOf } from '../../../domain/platform/onboarding/declarations.ts'
import { isStepKey, stepOf } from '../../../domain/platform/onboarding/lanes.ts'
import {
  attestByLink,
  decideByLink,
  LinkGone,
  recheckByLink,
  revokeByLink,
  signByLink,
  storeByLink,
  uploadByLink,
} from '../../../domain/platform/onboarding-link/act.ts'
import { REVOCATION } from '../../../domain/platform/onboarding-link/schema.ts'
import type { Answer } from '../../../kernel/answer.ts'
import { nowOf } from '../../../kernel/clock.ts'
import type { Done } from '../../../pages/onboarding/copy.ts'
import { recheckedPage } from '../../../pages/onboarding/ends.ts'
import { asksForWord } from '../../../pages/onboarding/pages.ts'
import { isLine, materialOf, pathOf, personOf, type Sent, transact, Wrong } from './sent.ts'

/** What was done, or the page that says more about it. */
export type Handled = Done | Answer

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

/** Does what the page asks for. Throws `Wrong` for what was typed, and what the acts of the API throw. */
export function handle(sent: Sent): Promise<Handled> {
  const { link, facts, request } = sent
  if (link.page === REVOCATION) return revoke(sent)
  if (link.page === 'mandato') return sign(sent)
  if (link.page === 'certificate' || request.form.act === 'certificate') return upload(sent)
  if (link.page === 'credential') return store(sent)
  const approval = facts.onboarding.pending_action?.approval
  if (approval && isStepKey(link.page) && stepOf(link.page).approval) return decide(sent, approval.role)
  return elsewhere(sent)
}
