import { sealedColumn } from '../../../kernel/sealed.ts'
import { linkOwner, widgetOwner } from './token.ts'

const connections = { table: 'connection', key: 'id' }

export const sealedBankTokens = [
  sealedColumn({ ...connections, what: 'bank tokens', column: 'link_token', owner: ({ key }) => linkOwner(key) }),
  sealedColumn({
    ...connections,
    what: 'tokens of bank pages',
    column: 'widget',
    owner: ({ key }) => widgetOwner(key),
  }),
]
