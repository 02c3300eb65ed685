import { sealedSiiSessions } from './adapters/sii/sessions.ts'
import { sealedSiiTokens } from './adapters/sii/tokens.ts'
import { sealedBankTokens } from './domain/banking/connection/sealed.ts'
import { sealedCafs } from './domain/issuing/folio/sealed.ts'
import { signedSessions } from './domain/platform/account/session.ts'
import { signedGrantLetters } from './domain/platform/agent-grant/revoke.ts'
import { sealedCertificates } from './domain/platform/certificate/sealed.ts'
import { sealedLetters } from './domain/platform/mail/sealed.ts'
import { sealedSfgCredentials } from './domain/platform/sfg-credential/sealed.ts'
import { sealedWebhookSecrets } from './domain/platform/webhook/sealed.ts'
import { sealedAnswers } from './kernel/idempotency.ts'
import type { SealedStore } from './kernel/sealed.ts'
import { sealedSandboxKeys } from './sandbox/sii/sealed.ts'

/** Everything that needs a master key, or one derived from it: what a change of the key has to reach. */
export const SEALED: readonly SealedStore[] = [
  ...sealedWebhookSecrets,
  ...sealedBankTokens,
  sealedCafs,
  sealedCertificates,
  sealedSfgCredentials,
  sealedSandboxKeys,
  sealedSiiTokens,
  sealedSiiSessions,
  sealedLetters,
  sealedAnswers,
  signedSessions,
  signedGrantLetters,
]
