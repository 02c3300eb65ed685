import { defineOperation } from '../../operation.ts'
import { bootstrapOperations } from './bootstrap-operations.ts'
import { readAccount } from './read.ts'
import { Account } from './schema.ts'

export const accountOperations = [
  defineOperation({
    id: 'account.get',
    method: 'GET',
    path: '/account',
    summary: 'Read the account and the credential in use',
    reach: 'account',
    returns: Account,
    run: readAccount,
  }),
  ...bootstrapOperations,
]
