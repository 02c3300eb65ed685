import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isGuessable } from './guessable.ts'

const ANA = ['ana.rojas@panaderia.cl', 'Ana Rojas']

describe('a password that few guesses open', () => {
  it.each([
    'password123',
    'Passw0rd123!',
    'P@ssw0rd2024',
    '1234567890',
    '0987654321',
    'qwertyuiop',
    'qwertyuiop123',
    '1q2w3e4r5t',
    'aaaaaaaaaaaaaaaa',
    'abcabcabcabcabc',
    'iloveyou2020',
    'contraseña1234',
    'Santiago2026!',
    'ana.rojas@panaderia.cl',
    'panaderia2024',
    'AnaRojas1234',
    'passwordpassword',
    'password'.repeat(25),
  ])('is refused: %s', async (password) => {
    expect(await isGuessable(password, ANA)).toBe(true)
  })

  it.each([
    'una clave larga',
    'otra clave larga',
    'frase corta y mía',
    'correct horse battery staple',
    'k3Vt9-Qm2xZ',
    'los lunes compro pan amasado',
    'xxxQw7!mZ2pLr',
  ])('is none of: %s', async (password) => {
    expect(await isGuessable(password, ANA)).toBe(false)
  })

  it('is known from a list that is read when it is first needed', () => {
    const source = readFileSync(new URL('./guessable.ts', import.meta.url), 'utf8')
    expect(source).not.toMatch(/^import .*language-common/m)
  })
})
