import { describe, expect, it } from 'vitest'
import { parsed } from '../../test/support/emitted.ts'
import { KINDS } from '../../test/support/kinds.ts'
import { describeWithReference, readReference } from '../../test/support/shared.ts'
import { verifySignatures } from '../signature/verify.ts'
import { readAnswer } from './read-answer.ts'

function read(xml: string | Uint8Array) {
  const document = parsed(xml)
  const checked = verifySignatures(document)
  if (!checked.ok) throw new Error(checked.refusal.message)
  const answer = readAnswer(document, checked.value)
  return answer.ok ? answer.value : answer.refusal.rule
}
const written = (kind: string) => KINDS[kind]?.xml ?? ''
const told = (xml: string | Uint8Array) => {
  const answer = read(xml)
  if (typeof answer === 'string') return answer
  return [answer.kind, ...answer.lines.map(({ dte, state, reason }) => [dte.tipo_dte, dte.folio, state, reason])]
}

describe('an answer of another taxpayer', () => {
  it('is read line by line, with its code and its words', () => {
    expect(told(written('RecepcionEnvio'))).toEqual([
      'recepcion_envio',
      [33, 1, 0, 'DTE Recibido OK'],
      [33, 2, 3, 'DTE No Recibido - Error en RUT Receptor'],
    ])
    expect(told(written('ResultadoDTE'))).toEqual([
      'resultado_dte',
      [33, 1, 0, 'ACEPTADO OK'],
      [33, 2, 2, 'Precio > pactado'],
    ])
    expect(told(written('EnvioRecibos'))).toEqual([
      'envio_recibos',
      [33, 1, 0, 'Casa Matriz'],
      [33, 2, 0, 'Casa Matriz'],
    ])
  })

  it('that refuses the file refuses what lies in it', () => {
    const refused = written('RecepcionEnvio').replace('<EstadoRecepEnv>0<', '<EstadoRecepEnv>2<')
    expect(told(refused)).toEqual([
      'recepcion_envio',
      [33, 1, 2, 'Envío Recibido Conforme'],
      [33, 2, 3, 'DTE No Recibido - Error en RUT Receptor'],
    ])
  })

  it('that names no document speaks of the file, by its name and its digest', () => {
    const bare = written('RecepcionEnvio')
      .replace(/<RecepcionDTE>[\s\S]*<\/RecepcionDTE>/, '')
      .replace('<EstadoRecepEnv>0<', '<EstadoRecepEnv>3<')
    expect(read(bare)).toMatchObject({
      kind: 'recepcion_envio',
      lines: [],
      envelopes: [{ file_name: 'a.xml', digest: 'AQ==', state: 3, reason: 'Envío Recibido Conforme' }],
    })
    expect(read(bare.replace(/<Digest>.*<\/Digest>/, ''))).toBe('unreadable')
  })

  it('that lacks an amount, a code or a side is not read by halves', () => {
    const xml = written('ResultadoDTE')
    for (const [one, other] of [
      [/<MntTotal>\d+</, '<MntTotal>mil<'],
      [/<EstadoDTE>0</, '<EstadoDTE><'],
      [/<RutResponde>[^<]+</, '<RutResponde>1-1<'],
      [/<FchEmis>[^<]+</, '<FchEmis>2026-02-30<'],
      [/<Folio>1</, '<Folio>99999999999999999999<'],
    ] as const) {
      expect(read(xml.replace(one, other))).toBe('unreadable')
    }
    expect(read(written('EnvioDTE'))).toBe('not_an_answer')
  })
})

describeWithReference('the answers of the reference', () => {
  it('are read', () => {
    for (const kind of ['RespuestaDTE-RecepcionEnvio', 'RespuestaDTE-ResultadoDTE', 'EnvioRecibos']) {
      expect(read(readReference('samples', 'synthetic', `${kind}.xml`))).toMatchObject({
        responde_rut: '77123456-9',
        recibe_rut: '76543210-3',
        lines: [{ dte: { tipo_dte: 33, folio: 1, issue_date: '2026-10-05', total: 138_399 }, state: 0 }],
      })
    }
  })
})
