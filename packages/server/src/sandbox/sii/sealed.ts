import { sealedColumn } from '../../kernel/sealed.ts'
import { keyOwner } from './keys.ts'

export const sealedSandboxKeys = sealedColumn({
  what: 'keys of the sandbox',
  table: 'sandbox_key',
  column: 'sealed',
  key: 'name',
  owner: ({ key }) => keyOwner(key),
})
