import { canonicalRut } from '@timbre/dte/values'
import type { Person, PersonRole } from '../../../catalog/roles.ts'
import type { PageContext } from '../../../domain/context.ts'
import { PAGES_PATH } from '../../../domain/platform/onboarding-link/mint.ts'
import type { OpenedLink, PageFacts } from '../../../domain/platform/onboarding-link/open.ts'
import type { Reactions } from '../../../domain/reactions.ts'
import { nowOf } from '../../../kernel/clock.ts'
import { Closed, OneLine } from '../../../kernel/schema.ts'
import type { Transactor } from '../../../kernel/transactor.ts'
import { validate } from '../../../kernel/validate.ts'
import type { Trouble } from '../../../pages/onboarding/copy.ts'
import type { Addresses, Ports } from '../../../ports/ports.ts'
import type { PlainRequest } from '../../routes.ts'
import type { SharedLinkParts } from '../shared-link.ts'

export interface OnboardingRoutesParts extends SharedLinkParts {
  readonly ports: Ports
  readonly addresses: Addresses
  readonly transactor: Transactor
  readonly reactions: Reactions
}

/** What was typed does not do; the page is shown again with it. */
export class Wrong extends Error {
  readonly field: Trouble | 'certificate'
  constructor(field: Trouble | 'certificate') {
    super(field)
    this.field = field
  }
}

const Line = Closed({ text: OneLine(500) })

/** Whether a text is what the API takes for one of one line. */
export function isLine(text: string): boolean {
  try {
    validate(Line, { text }, 'body')
    return true
  } catch {
    return false
  }
}

/** Whoever says that they act, who is the person that the page is for where it is for one. */
export function personOf<Role extends PersonRole>(
  { request: { form }, link }: Sent,
  role: Role,
): Person & { role: Role } {
  const name = (form.name ?? '').trim().replace(/\s+/g, ' ')
  if (name === '' || name.length > 100) throw new Wrong('name')
  if (!isLine(name)) throw new Wrong('hidden')
  if (name.length < 3) throw new Wrong('short')
  const rut = canonicalRut((form.rut ?? '').trim())
  if (rut === null) throw new Wrong('rut')
  if (link.person && link.person.rut !== rut) throw new Wrong('other_person')
  return { rut, name, role }
}

export interface Sent {
  readonly parts: OnboardingRoutesParts
  readonly link: OpenedLink
  readonly facts: PageFacts
  readonly request: PlainRequest
}

export const pathOf = ({ params }: PlainRequest) => `${PAGES_PATH}/${params.slug}`

/** Reads around a transaction: what a page shows before and after its act. */
export const reading = ({ sql, ports, addresses }: OnboardingRoutesParts, { scope, clock }: OpenedLink) => ({
  sql,
  ports,
  addresses,
  empresa: scope,
  now: () => nowOf(clock),
})

/** One transaction in which the holder of the link acts, as the call of a credential would. */
export function transact<T>({ parts, link, request }: Sent, work: (ctx: PageContext) => Promise<T>): Promise<T> {
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

export const materialOf = ({ sql, reactions }: OnboardingRoutesParts, { scope, page }: OpenedLink) =>
  reactions.materialOf({ sql }, scope, page)
