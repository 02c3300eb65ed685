import { sealedColumn } from '../../../kernel/sealed.ts'
import { certificateOwner } from './keep.ts'

export const sealedCertificates = sealedColumn<{ also: string }>({
  what: 'certificates',
  table: 'certificate',
  column: 'sealed',
  key: 'empresa_id',
  also: 'id',
  owner: ({ key, also }) => certificateOwner({ empresa_id: key }, also),
})
