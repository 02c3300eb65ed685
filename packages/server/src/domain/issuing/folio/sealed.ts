import { sealedColumn } from '../../../kernel/sealed.ts'
import { cafOwner } from './stamping-caf.ts'

export const sealedCafs = sealedColumn<{ also: string }>({
  what: 'CAFs',
  table: 'caf',
  column: 'sealed',
  key: 'id',
  also: 'empresa_id',
  owner: ({ key, also }) => cafOwner({ empresa_id: also }, key),
})
