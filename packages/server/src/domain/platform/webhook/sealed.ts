import { sealedColumn } from '../../../kernel/sealed.ts'

const secrets = { table: 'webhook_endpoint', key: 'id', owner: ({ key }: { key: string }) => key }

export const sealedWebhookSecrets = [
  sealedColumn({ ...secrets, what: 'webhook secrets', column: 'secret' }),
  sealedColumn({ ...secrets, what: 'replaced webhook secrets', column: 'previous_secret' }),
]
