import { SiiFailure } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import { SenderRefused } from '../../ports/sii.ts'
import { asSenderRefused } from './sender-refused.ts'

describe('what the SII answers to a 401 of the boleta upload', () => {
  const answered = (glosa: string | null) => {
    const place = { service: 'boleta_upload', operation: 'boleta.envio', ambiente: 'produccion' } as const
    const facts = {
      kind: 'refused',
      retry: 'later',
      estado: 'HTTP 401',
      glosa,
      sent: false,
      token_refused: true,
    } as const
    const found = asSenderRefused(new SiiFailure(place, facts), { identity: { fingerprint: 'f' } } as never)
    return found instanceof SenderRefused ? found.facts : null
  }

  it('is about the person for certain where it speaks of a permission, and otherwise when it comes again and again', () => {
    expect(answered('Rut que envia no autorizado en la empresa')).toMatchObject({ road: 'boleta', certain: true })
    expect(answered('NO ESTA AUTENTICADO')).toMatchObject({ road: 'boleta', certain: false })
    expect(answered(null)).toMatchObject({ road: 'boleta', certain: false })
  })
})
