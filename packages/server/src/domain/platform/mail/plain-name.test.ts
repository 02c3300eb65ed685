import { describe, expect, it } from 'vitest'
import { askedBy, plainName } from './plain-name.ts'

describe('a name that a stranger typed, in a letter of ours', () => {
  it.each([
    'Viña Maule S.A.',
    'Comercial Ñuñoa y Cía. Ltda.',
    "Panadería O'Higgins (N° 2) E.I.R.L.",
    'Constructora 2020 SpA',
  ])('is shown where it reads like one: %s', (name) => {
    expect(plainName(name)).toBe(name)
  })

  it.each([
    'GANE $1.000.000 HOY',
    'Entra a www estafa',
    'Ir a estafa.example ahora',
    'http://estafa',
    'escribe a sii@estafa',
    'Llama al 9 1234 5678',
    'Premio 1.000.000 de pesos',
    'Servicio \u202eaicnatropmi',
    'ＳＩＩ ｅｓｔａｆａ',
    'СИИ Impuestos',
    'Gane 🎁 hoy',
    'Urgente: responde hoy',
    'a'.repeat(101),
    '',
  ])('is left out where it looks like an address, an amount or a message: %s', (name) => {
    expect(plainName(name)).toBeNull()
  })

  it('of an account never stands without its whole address', () => {
    expect(askedBy({ name: 'Prueba', email: 'sii.servicio@evil.example' })).toBe('Prueba (sii.servicio@evil.example)')
    expect(askedBy({ name: 'www.sii.cl', email: 'a@evil.example' })).toBe('a@evil.example')
    expect(askedBy({ name: null, email: 'a@evil.example' })).toBe('a@evil.example')
  })
})
