import { declareJob } from '../../../kernel/job.ts'

/** Looks for the account of an address and mails it a link to reset its password. */
export const sendResetLink = declareJob<{ email: string; ip?: string }>({ name: 'account.send_reset_link' })
