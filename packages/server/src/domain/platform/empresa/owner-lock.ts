import { MODES } from '../../../catalog/modes.ts'
import { literal, part } from '../../../kernel/db.ts'
import type { Owner, OwnerLock } from '../../../kernel/owner.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { EACH, tenantsOf } from '../../../kernel/tenant.ts'
import { isEmpresa } from './sql.ts'
import { findEmpresa } from './store.ts'

/** Null where the empresa of an owner, if it has one, cannot be deleted. */
function deletable({ account_id, mode, empresa_id }: Owner): EmpresaScope | null {
  if (account_id === null || mode === null || empresa_id === null || !MODES[mode].deletable) return null
  return { account_id, mode, empresa_id, rut: '' }
}

/**
 * An empresa that may be deleted is locked by whoever works on it, as the order of `kernel/locks.ts` says. `key share`
 * is what a row that refers to it takes anyway: such transactions do not wait for each other, only for its deletion.
 */
export const empresaLock: OwnerLock = {
  question(owner) {
    const scope = deletable(owner)
    if (!scope) return null
    const { account_id, empresa_id, mode } = scope
    return `select true as owner from empresa where account_id = ${literal(account_id)} and id = ${literal(empresa_id)}
      and mode = ${literal(mode)} ${owner.exclusive ? 'for update' : 'for key share'}`
  },
  part(owner) {
    const scope = deletable(owner)
    return scope && { lock: part`select true from empresa where ${isEmpresa(scope)} for key share`, count: 1 }
  },
  partOfMany(owners) {
    const scopes = owners.flatMap((owner) => deletable(owner) ?? [])
    const distinct = [...new Map(scopes.map((scope) => [scope.empresa_id, scope])).values()]
    if (distinct.length === 0) return null
    const lock = part`select true from (select ${tenantsOf(distinct)}) w, lateral (
      select from empresa where ${isEmpresa(EACH)} for key share skip locked) e`
    return { lock, count: distinct.length }
  },
  async isGone(sql, owner) {
    const scope = deletable(owner)
    return scope !== null && (await findEmpresa(sql, scope)) === null
  },
}
