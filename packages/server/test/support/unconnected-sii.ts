// An SII that is not there.

import type { CaBundle } from '@timbre/dte'
import { type Sii, SiiUnreachable } from '../../src/ports/sii.ts'

async function refuse(): Promise<never> {
  throw new SiiUnreachable('no SII is connected in this test')
}

/** Stands where the live client goes in tests that ask the SII nothing: every question is refused. */
export function unconnectedSii(authorities?: CaBundle): Sii {
  return {
    // As the real one, so that tests of live mode see what a customer would.
    tax_effect: true,
    requestCaf: refuse,
    annulFolios: refuse,
    // Known without asking: the SII has signed with the same keys since 2003.
    authorityKeys: async () => (await import('@timbre/dte/emission')).SII_KEYS,
    certificateAuthorities: async () => authorities ?? (await import('@timbre/dte/emission')).NO_AUTHORITIES,
    signerFor: refuse,
    submit: refuse,
    statusOf: refuse,
    isAnnulled: refuse,
    findByNaturalKey: refuse,
    cedibilityOf: refuse,
    cede: refuse,
    cesionStateOf: refuse,
    findCesion: refuse,
    respondTo: refuse,
    answersTo: refuse,
    readRcv: refuse,
    characterize: refuse,
    moveEstado: refuse,
    proposedF29: refuse,
    fileF29: refuse,
    f29StateOf: refuse,
  }
}
