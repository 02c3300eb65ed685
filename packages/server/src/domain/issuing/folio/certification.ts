import type { TipoDte } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { Ambiente, FolioRefusal } from '../../../ports/sii.ts'
import type { BaseContext } from '../../context.ts'
import type { JobContext } from '../../job.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import type { DrawnFolio } from './draw.ts'
import { fetchCaf } from './fetch-caf.ts'
import { saveCaf } from './save-caf.ts'

/**
 * Where the folios of a certification are counted. They stamp nothing that counts, and no document ever draws them, but where
 * everything is asked of the environment of certification: there both are one series at the SII, and so here.
 */
function ambienteOf({ ports }: Pick<BaseContext, 'ports'>, { mode }: EmpresaScope): Ambiente {
  return ports.sii[mode].only === undefined ? 'certificacion' : MODES[mode].ambiente_when_emitting
}

const unspent = (scope: EmpresaScope, ambiente: Ambiente, tipo_dte: number, on: string) => part`
  ${ownedBy(scope)} and ambiente = ${ambiente} and tipo_dte = ${tipo_dte} and status = 'active' and not spent
  and (expires_on is null or expires_on >= ${on})`

/** How many folios of a tipo are left to certify with. */
export async function certificationStock(
  ctx: Pick<BaseContext, 'sql' | 'ports'>,
  scope: EmpresaScope,
  tipo_dte: number,
  on: string,
): Promise<number> {
  const [row] = await ctx.sql<{ left: number }>`
    select coalesce(sum(to_folio - next_folio + 1), 0)::integer as left from caf
    where ${unspent(scope, ambienteOf(ctx, scope), tipo_dte, on)}`
  return row?.left ?? 0
}

/** Asks the SII for folios to certify with, and puts them into custody. Gives its refusal, or null when they are in. */
export async function fetchCertificationFolios(
  ctx: JobContext,
  scope: EmpresaScope,
  wanted: { readonly legal_name: string; readonly tipo_dte: TipoDte; readonly quantity: number },
): Promise<FolioRefusal | null> {
  const answer = await fetchCaf(ctx, scope, { ...wanted, ambiente: ambienteOf(ctx, scope), resolucion_numero: 0 })
  if (!('caf' in answer)) return answer
  await ctx.transact(async (tx) => {
    if (await lockEmisor(tx.sql, scope)) await saveCaf(tx, scope, answer, 'request')
  })
  return null
}

/** Draws folios to certify with, the lowest first. Null where there are too few: none is taken then. */
export async function drawCertificationFolios(
  tx: Pick<BaseContext, 'sql' | 'ports'>,
  scope: EmpresaScope,
  tipo_dte: number,
  count: number,
  on: string,
): Promise<DrawnFolio[] | null> {
  const chain = await tx.sql<{ id: string; next_folio: number; to_folio: number }>`
    select id, next_folio, to_folio from caf where ${unspent(scope, ambienteOf(tx, scope), tipo_dte, on)}
    order by from_folio for no key update`
  const drawn: DrawnFolio[] = []
  for (const { id, next_folio, to_folio } of chain)
    for (let folio = next_folio; folio <= to_folio && drawn.length < count; folio++) drawn.push({ caf_id: id, folio })
  if (drawn.length < count) return null
  await moveOn(tx.sql, scope, drawn)
  return drawn
}

async function moveOn(sql: Sql, scope: EmpresaScope, drawn: readonly DrawnFolio[]): Promise<void> {
  const next = new Map(drawn.map(({ caf_id, folio }) => [caf_id, folio + 1]))
  for (const [caf_id, next_folio] of next)
    await sql`update caf set next_folio = ${next_folio} where ${ownedBy(scope)} and id = ${caf_id}`
}
