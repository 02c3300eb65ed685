import type { Cache } from '../../../kernel/cache.ts'
import type { ClockSetting } from '../../../kernel/clock.ts'
import { part, type Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountScope, Caller, EmpresaScope } from '../../../kernel/scope.ts'
import { clockOf, type JoinedClock, joinOwnClock, ownClock } from '../test-clock/sql.ts'
import { DELETED } from './sql.ts'

/** How a call names its empresa: by the Svc-Empresa header or by its path. */
export type EmpresaName = { readonly rut: string } | { readonly id: string }

export interface ReachedEmpresa {
  readonly scope: EmpresaScope
  readonly status: string
  readonly certificate_until: Date | null
  /** Its own test clock, where one was set for it alone. */
  readonly clock: ClockSetting | null
}

interface Row extends JoinedClock {
  id: string
  rut: string
  mode: 'test' | 'live'
  status: string
  certificate_until: Date | null
}

/** The RUTs that a caller reaches, or null for every empresa of the account. */
export function reachedRuts(caller: Caller): readonly string[] | null {
  return caller.kind === 'session' || caller.empresas.includes('*') ? null : caller.empresas
}

export function reachesRut(caller: Caller, rut: string): boolean {
  return reachedRuts(caller)?.includes(rut) ?? true
}

/** The empresas of a name in either mode, one that gave its RUT up after the one that has it; null when there is none. */
async function empresasNamed(sql: Sql, { account_id }: AccountScope, named: EmpresaName): Promise<Row[] | null> {
  const which = 'rut' in named ? part`e.rut = ${named.rut}` : part`e.id = ${named.id}`
  const rows = await sql<Row>`
    select e.id, e.rut, e.mode, e.status, e.certificate_until, ${ownClock}
    from empresa e
    ${joinOwnClock('e')}
    where e.account_id = ${account_id} and ${which} and e.mode <> ${DELETED}
    order by e.rut_released, e.id desc`
  return rows.length > 0 ? rows : null
}

/** Admits a caller to one empresa of its account, or throws. The only place that makes an EmpresaScope for a request. */
export async function reachEmpresa(
  reading: { readonly sql: Sql; readonly cache?: Pick<Cache, 'get'> },
  account: AccountScope,
  caller: Caller,
  named: EmpresaName,
): Promise<ReachedEmpresa> {
  const load = () => empresasNamed(reading.sql, account, named)
  // By which of the two it is named, too: what a header found by its RUT is not to be found under that RUT in a path.
  const name = `empresa|${account.account_id}|${'rut' in named ? `rut|${named.rut}` : `id|${named.id}`}`
  // Every change of an empresa or of its clock makes its account stale.
  const rows = (await (reading.cache ? reading.cache.get(name, load, () => [account.account_id]) : load())) ?? []
  const found = rows.find((row) => row.mode === account.mode)
  if (!found) {
    const [elsewhere] = rows
    if (elsewhere && reachesRut(caller, elsewhere.rut))
      throw new Problem('mode_not_allowed', { empresa: elsewhere.rut })
    throw new Problem('empresa_not_found', 'rut' in named ? { empresa: named.rut } : {})
  }
  if (!reachesRut(caller, found.rut)) throw new Problem('empresa_not_allowed', { empresa: found.rut })
  return {
    scope: { account_id: account.account_id, mode: account.mode, empresa_id: found.id, rut: found.rut },
    status: found.status,
    certificate_until: found.certificate_until,
    clock: found.offset_ms === null ? null : clockOf(found),
  }
}

/** The RUT of the only empresa of an account in its mode; undefined where there are more, or none. Archived ones do not count. */
export async function soleEmpresa(sql: Sql, { account_id, mode }: AccountScope): Promise<string | undefined> {
  const rows = await sql<{ rut: string }>`
    select rut from empresa where account_id = ${account_id} and mode = ${mode} and status <> 'archived' limit 2`
  return rows.length === 1 ? rows[0]?.rut : undefined
}

/** The operator reaches any empresa; the scope says whose it is. */
export async function reachAnyEmpresa(sql: Sql, id: string): Promise<EmpresaScope> {
  const [row] = await sql<{ account_id: string; rut: string; mode: 'test' | 'live' }>`
    select account_id, rut, mode from empresa where id = ${id} and mode <> ${DELETED}`
  if (!row) throw new Problem('empresa_not_found')
  return { account_id: row.account_id, mode: row.mode, empresa_id: id, rut: row.rut }
}
