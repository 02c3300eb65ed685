import type { Mode } from '../../../catalog/modes.ts'
import { type Fragment, name, part } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EACH, Tenant } from '../../../kernel/tenant.ts'

/** The mode of an empresa that is deleted and has rows left: no statement of either mode finds it. */
export const DELETED = 'deleted'

/** The condition that names one row of `empresa`. */
export function isEmpresa({ account_id, empresa_id, mode }: Tenant | typeof EACH): Fragment {
  return part`account_id = ${account_id} and id = ${empresa_id} and mode = ${mode}`
}

/**
 * The condition of an empresa of which the SII took nothing: it does not emit, has no verified resolución and no boletas. Archived,
 * it leaves its RUT to others after a while; the others are held by their history.
 */
export const hasNoHistory = (): Fragment => part`
  emitting_since is null and coalesce(resolucion_status, '') <> 'verified' and boleta_emission_enabled_at is null`

/** The condition of an empresa of which nothing shows yet that its RUT is the account's to use (`proof.ts`). */
export const isUnproven = (): Fragment => part`${hasNoHistory()} and rut_proof is null`

/** One empresa as a table of a `from`, under the alias `e`. */
export function fromEmpresa(scope: EmpresaScope): Fragment {
  return part`(select * from empresa where ${isEmpresa(scope)}) e`
}

/** Joins the empresa, under the alias `e`, that a row with `account_id`, `empresa_id` and `mode` belongs to. */
export function joinEmpresa(child: string): Fragment {
  const c = name(child)
  return part`join empresa e on e.account_id = ${c}.account_id and e.id = ${c}.empresa_id and e.mode = ${c}.mode`
}

/**
 * The condition of a row with `account_id` and `empresa_id` whose empresa is active. What stands in custody opens under it
 * alone: without a mandato nobody acts in the name of the taxpayer, whichever job still would.
 */
export function ofActiveEmpresa(child: string): Fragment {
  const c = name(child)
  return part`exists (
    select 1 from empresa e where e.account_id = ${c}.account_id and e.id = ${c}.empresa_id and e.status = 'active')`
}

/** What stands in the way of the certificate of an empresa, for a row with `account_id` and `empresa_id`. */
export function refusalsOf(child: string): Fragment {
  const c = name(child)
  return part`(select e.certificate_refused from empresa e where e.account_id = ${c}.account_id and e.id = ${c}.empresa_id)`
}

/** The same for a row that may be of no empresa, or of one that is being deleted: then `e` has no name. */
export function joinNameOfEmpresa(child: string): Fragment {
  const c = name(child)
  return part`left join empresa e on e.account_id = ${c}.account_id and e.id = ${c}.empresa_id and e.mode = ${c}.mode`
}

/** Joins `e` with `ready` and `total`: how many empresas of an account a credential reaches, and how many can emit. */
export function joinEmpresaCounts(account: string, mode: Mode, reach: readonly string[]): Fragment {
  return part`cross join lateral (
      select count(*) as total, count(*) filter (where status = 'active' and emitting_since is not null) as ready
      from empresa where account_id = ${name(account)}.id and mode = ${mode} and ('*' = any(${reach}) or rut = any(${reach}))
    ) e`
}

/** A select of the tipos an empresa declares, or of one tipo, each with the channel: to be joined in one statement. */
export function selectTipos(scope: EmpresaScope, tipo_dte: number | null): Fragment {
  return part`
    select e.emission_channel, t.tipo_dte from ${fromEmpresa(scope)}
    cross join unnest(${tipo_dte === null ? part`e.doc_types` : part`array[${tipo_dte}::integer]`}) as t (tipo_dte)`
}
