import type { DteDraft } from '@timbre/dte/draft'
import type { Resolucion } from '@timbre/dte/emission'
import { type TipoDte, tipo } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { Problem } from '../../../kernel/problem.ts'
import { blockedBy, capabilitiesOf } from '../../platform/empresa/capabilities.ts'
import { lackedBy } from '../../platform/empresa/channels.ts'
import { worthless } from '../../platform/empresa/custody.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'

/** Refuses a tipo that the empresa cannot issue at this moment, and says what is in the way. */
export function refuseTipo(empresa: EmpresaRow, tipo_dte: TipoDte, now: Date): void {
  const { emission_channel: channel, doc_types } = empresa
  if (lackedBy(channel, [tipo_dte]).length > 0) {
    const message = `The channel ${channel} does not build tipo ${tipo_dte}.`
    const details = { channel, tipos: [tipo_dte] }
    throw new Problem('tipo_not_available_for_channel', { param: 'tipo_dte', message, details })
  }
  const { can_emit, blocked_by, next } = capabilitiesOf(empresa, now)
  const declared = doc_types.includes(tipo_dte)
  const block = declared && empresa.emitting_since !== null ? blockedBy(empresa, tipo_dte, now) : null
  const refusal = worthless(block, empresa, tipo_dte, now)
  if (refusal) throw refusal
  // It waits, or is the one by which the SII is asked again.
  if (block === 'certificate_refused' || block === 'documents_refused') return
  if (!can_emit) throw notEmitting(blocked_by, next)
  if (!declared) throw new Problem('tipo_not_declared', { param: 'tipo_dte' })
  if (block !== null) throw notEmitting(block, null)
}

function notEmitting(step: string | null, next: object | null): Problem {
  const message = `The empresa cannot emit yet: ${step} is pending.`
  return new Problem('empresa_not_emitting', { message, details: { step, next } })
}

/** The issuer as its documents carry it, as the empresa stands today. */
export function emisorOf(empresa: EmpresaRow, tipo_dte: TipoDte): DteDraft['emisor'] {
  const stand_in = MODES[empresa.mode].emisor_placeholders
  const { street, comuna, city, acteco, codigo_sucursal } = empresa
  const emisor = {
    rut: empresa.rut,
    legal_name: empresa.legal_name,
    giro: empresa.giro ?? stand_in?.giro,
    acteco: acteco.length > 0 ? acteco : stand_in?.acteco,
    address:
      street === null && comuna === null
        ? (stand_in?.address ?? {})
        : { street: street ?? undefined, comuna: comuna ?? undefined, city: city ?? undefined },
    ...(codigo_sucursal !== null && { codigo_sucursal: Number(codigo_sucursal) }),
  }
  return tipo(tipo_dte).family === 'boleta' ? { ...emisor, acteco: undefined } : emisor
}

type Declared = Pick<EmpresaRow, 'mode' | 'resolucion_numero' | 'resolucion_fecha' | 'resolucion_boletas_fecha'>

/**
 * The resolución that envelopes and printed pages name: the declared one, or the sandbox's. Boletas go under the same pair
 * as facturas (another is CRT-3-19 at the SII); the date of their habilitación, which has no number, serves an emisor that
 * has no other.
 */
export function resolucionFor(empresa: Declared, tipo_dte: TipoDte): Resolucion | null {
  const { resolucion_numero, resolucion_fecha, resolucion_boletas_fecha } = empresa
  if (resolucion_fecha !== null) return { date: resolucion_fecha, number: resolucion_numero ?? 0 }
  const boletas = tipo(tipo_dte).envelope === 'EnvioBOLETA'
  if (boletas && resolucion_boletas_fecha !== null) return { date: resolucion_boletas_fecha, number: 0 }
  return MODES[empresa.mode].resolucion_when_undeclared
}
