import { drift } from '../failure.ts'
import { looking } from '../portal/effects.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { AMBIENTE, type CertificationQuestion } from './door.ts'
import { refusalOf } from './refusals.ts'

const APP = '/pfeInternet/'
const MAX_BYTES = 4 * 1024 * 1024

/** The envelope of two documents that the SII sends for the step of intercambio, byte for byte. */
export function exchangeEnvelope(
  wire: Wire,
  sessions: Sessions,
  { user, rut }: CertificationQuestion,
): Promise<Uint8Array> {
  const [number = '', dv = ''] = rut.split('-')
  const path = `${APP}downloadFile?re=${number}&dve=${dv}`
  const target = `${wire.hosts[AMBIENTE].portal}${APP}`
  return sessions.use({ user, ambiente: AMBIENTE, target, alone: true }, (session) =>
    looking(() =>
      session.ask({ service: 'portal', operation: 'pfe.downloadFile', path, max_bytes: MAX_BYTES }, (answer) => {
        const is_envelope = answer.kind === 'xml' && answer.bytes.toString('latin1').includes('<EnvioDTE')
        if (!is_envelope) throw refusalOf(answer.page) ?? drift('EnvioDTE of pfeInternet')
        return { value: new Uint8Array(answer.bytes) }
      }),
    ),
  )
}
