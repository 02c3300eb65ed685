import { sealedColumn } from '../../../kernel/sealed.ts'
import { credentialOwner } from './lookup.ts'

export const sealedSfgCredentials = sealedColumn<{ also: string }>({
  what: 'SFG credentials',
  table: 'sfg_credential',
  column: 'sealed',
  key: 'empresa_id',
  also: 'rut',
  owner: ({ key, also }) => credentialOwner({ empresa_id: key }, also),
})
