import { type Fragment, part } from '../../../kernel/db.ts'
import type { AccountScope } from '../../../kernel/scope.ts'

// The ledger is read by account, by type or by empresa, and each has an index whose key is a hash of the three words. Whoever
// reads names the key beside the columns themselves: the one finds, the others decide.

const keyOf = ({ account_id, mode }: AccountScope, word: string): Fragment =>
  part`hashtextextended(${account_id + mode + word}::text, 0)`

export const inAccount = (scope: AccountScope): Fragment =>
  part`hashtextextended(account_id || mode, 0) = ${keyOf(scope, '')}`

export const ofType = (scope: AccountScope, type: string): Fragment =>
  part`hashtextextended(account_id || mode || type, 0) = ${keyOf(scope, type)} and type = ${type}`

export const ofEmpresa = (scope: AccountScope, rut: string): Fragment =>
  part`hashtextextended(account_id || mode || empresa_rut, 0) = ${keyOf(scope, rut)} and empresa_rut = ${rut}`
