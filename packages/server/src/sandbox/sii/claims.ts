import { ANSWER_DAYS, ANSWERABLE_TIPOS, DAY_MS } from '@timbre/dte/values'
import type { RegisterAction } from '../../catalog/reception.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { ownedBy } from '../../kernel/tenant.ts'
import { SiiUnreachable } from '../../ports/sii.ts'
import type { RegisteredAnswer, SiiClaims } from '../../ports/sii-reception.ts'
import { MAGIC_SUPPLIERS, REGISTER_SENTENCES } from './reception-magic-values.ts'

type Answer = Parameters<SiiClaims['respondTo']>[0]

const GOODS: readonly RegisterAction[] = ['RFP', 'RFT']
export const CLAIMS: readonly RegisterAction[] = ['RCD', ...GOODS]

/** The combination rules of the register (SII, WS Registro de Aceptación o Reclamo, v1.2), given what it holds. */
function ruleOn(action: RegisterAction, registered: readonly RegisterAction[]): number {
  const holds = (actions: readonly RegisterAction[]) => registered.some((one) => actions.includes(one))
  if (registered.includes(action)) return 7
  if (action === 'ACD') return holds(CLAIMS) ? 12 : 0
  if (action === 'ERM') return holds(CLAIMS) ? 6 : 0
  if (holds(['ACD'])) return 11
  if (holds(['ERM'])) return 13
  // A claim against the content and one against the goods may stand side by side, two of the goods may not.
  return GOODS.includes(action) && holds(GOODS) ? 19 : 0
}

async function registeredBy(sql: Sql, { empresa, document }: Answer): Promise<RegisterAction[]> {
  const rows = await sql<{ action: RegisterAction }>`
    select action from sandbox_claim
    where ${ownedBy(empresa)}
      and emisor_rut = ${document.emisor_rut} and tipo_dte = ${document.tipo_dte} and folio = ${document.folio}`
  return rows.map(({ action }) => action)
}

async function register(sql: Sql, { empresa, document, action, at }: Answer): Promise<void> {
  await sql`
    insert into sandbox_claim (account_id, empresa_id, mode, emisor_rut, tipo_dte, folio, action, at)
    values (${empresa.account_id}, ${empresa.empresa_id}, ${empresa.mode}, ${document.emisor_rut},
      ${document.tipo_dte}, ${document.folio}, ${action}, ${at})
    on conflict do nothing`
}

/** Registers an answer if the rules allow it, and gives the code of the register. */
export async function decide(sql: Sql, answer: Answer): Promise<number> {
  const { document, action, at } = answer
  if (!ANSWERABLE_TIPOS.includes(document.tipo_dte)) return 3
  const code = ruleOn(action, await registeredBy(sql, answer))
  const ends_at = document.sii_received_at.getTime() + ANSWER_DAYS * DAY_MS
  // What was registered in time stays so, whenever it is asked for again.
  if (code !== 7 && at.getTime() > ends_at) return 8
  if (code === 0) await register(sql, answer)
  return code
}

export const placeOf = (tipo_dte: number, folio: number | null) => `${tipo_dte}:${folio}`

/** What tests had receptors register about documents of the empresa itself, by tipo and folio, oldest first. */
export async function answersToOwn(
  sql: Sql,
  empresa: EmpresaScope,
): Promise<ReadonlyMap<string, readonly RegisteredAnswer[]>> {
  const rows = await sql<{ tipo_dte: number; folio: number; action: RegisterAction; at: Date }>`
    select tipo_dte, folio, action, at from sandbox_claim
    where ${ownedBy(empresa)} and emisor_rut = ${empresa.rut} order by at, action`
  const found = new Map<string, RegisteredAnswer[]>()
  for (const { tipo_dte, folio, action, at } of rows) {
    const place = placeOf(tipo_dte, folio)
    found.set(place, [...(found.get(place) ?? []), { action, person_rut: null, at }])
  }
  return found
}

/** The register of acceptance and claims of the sandbox: the rules of the real one, and magic suppliers. */
export function sandboxClaims(sql: Sql): SiiClaims {
  return {
    async respondTo(answer) {
      const magic = MAGIC_SUPPLIERS.find(({ emisor_rut }) => emisor_rut === answer.document.emisor_rut)
      if (magic && magic.code === undefined) throw new SiiUnreachable('the sandbox plays an SII that is away')
      const code = magic?.code ?? (await decide(sql, answer))
      return { code, sentence: REGISTER_SENTENCES[code] ?? '' }
    },
    async answersTo({ empresa, documents }) {
      const answers = await answersToOwn(sql, empresa)
      return new Map(
        documents.flatMap(({ id, tipo_dte, folio }) => {
          const given = answers.get(placeOf(tipo_dte, folio))
          return given ? [[id, given] as const] : []
        }),
      )
    },
  }
}
