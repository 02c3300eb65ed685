import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePfx } from '../src/trigger/make-pfx.ts'
import { signedFiles } from './support/signed-files.ts'
import { openHome } from './support/timbre.ts'

const home = openHome()
afterAll(() => home.close())

const REFERENCE = fileURLToPath(new URL('../../../../shared/sii', import.meta.url))
const file = (name: string) => join(home.folder, name)

interface Verdict {
  valid: boolean
  kind: string
  checks: { what: string; state: string }[]
  documents: { title: string; checks: { what: string; state: string; rule?: string; says: string }[] }[]
}

async function verdictOf(...args: string[]): Promise<Verdict & { code: number | null }> {
  const { code, stdout } = await home.run(['dte', 'verify', ...args, '--json'])
  return { code, ...JSON.parse(stdout) }
}

beforeAll(async () => {
  const { dte, sobre, caf } = await signedFiles()
  const changed = (from: string, to: string) => Buffer.from(dte.toString('latin1').replaceAll(from, to), 'latin1')
  writeFileSync(file('dte.xml'), dte)
  writeFileSync(file('sobre.xml'), sobre)
  writeFileSync(file('caf.xml'), caf)
  writeFileSync(file('changed.xml'), changed('Resma de papel', 'Resma de marfil'))
  writeFileSync(file('dear.xml'), changed('<MntTotal>5950<', '<MntTotal>9950<'))
  writeFileSync(file('cut.xml'), dte.subarray(0, 900))
})

describe('dte verify', () => {
  it('finds a document of the sandbox true in everything but its CAF, which is not of the SII', async () => {
    const strict = await verdictOf('dte.xml')
    expect(strict).toMatchObject({ code: 7, valid: false, kind: 'DTE' })
    expect(strict.documents[0]?.checks.map(({ what, state, rule }) => [what, state, rule])).toEqual([
      ['firma', 'ok', undefined],
      ['timbre', 'error', 'unknown_sii_key'],
      ['totales', 'ok', undefined],
    ])
    const sandbox = await verdictOf('sobre.xml', '--sandbox')
    expect(sandbox).toMatchObject({ code: 0, valid: true, kind: 'EnvioDTE' })
    expect(sandbox.checks.filter(({ what }) => what === 'firma')).toMatchObject([{ state: 'ok' }])
  })

  it('says in Spanish what changed after it was signed, and ends with 7', async () => {
    const { code, stdout } = await home.start(['dte', 'verify', 'changed.xml', '--sandbox']).ended
    expect(code).toBe(7)
    expect(stdout).toContain('✗ firma   El contenido cambió después de firmarse.')
    expect(stdout).toContain('El archivo NO es válido.')
  })

  it('finds a total that the lines do not give', async () => {
    const [document] = (await verdictOf('dear.xml', '--sandbox')).documents
    const totals = { state: 'error', says: expect.stringContaining('el total') }
    expect(document?.checks.find(({ what }) => what === 'totales')).toMatchObject(totals)
  })

  it.each([
    ['cut.xml', 'cortado'],
    ['caf.xml', 'no es un DTE'],
  ])('says of %s why it is no DTE', async (name, said) => {
    const { code, stdout } = await home.run(['dte', 'verify', name])
    expect(code).toBe(7)
    expect(stdout).toContain(said)
  })

  it('ends with 8 for a file that is not there', async () => {
    expect(await home.run(['dte', 'verify', 'nothing.xml'])).toMatchObject({
      code: 8,
      stdout: '',
      stderr: 'Error: nothing.xml no existe.\nRevisa la ruta.\n',
    })
  })

  it('takes a genuine document of the SII for true, and checks it against its schemas', async () => {
    if (!existsSync(REFERENCE)) return console.warn('not checked: the reference files of the SII are not here')
    const sobre = join(REFERENCE, 'samples/dte/EnvioDTE-set-basico-certificacion.xml')
    const verdict = await verdictOf(sobre, '--schemas', join(REFERENCE, 'schemas'))
    expect(verdict).toMatchObject({ code: 0, valid: true })
    expect(verdict.documents).toHaveLength(8)
    expect(verdict.checks.find(({ what }) => what === 'esquema')).toMatchObject({ state: 'ok' })
  })
})

describe('dte print', () => {
  it('writes the pages of a document of an envelope', async () => {
    const { code, stdout } = await home.run(['dte', 'print', 'sobre.xml', '-o', 'page.pdf'])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('page.pdf') })
    expect(readFileSync(file('page.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('writes to stdout for -, and nothing else', async () => {
    const { stdout } = await home.start(['dte', 'print', 'dte.xml', '-o', '-']).ended
    expect(stdout.startsWith('%PDF-')).toBe(true)
    expect(stdout.trimEnd().endsWith('%%EOF')).toBe(true)
  })

  it('says in Spanish where it cannot write, and ends with 8', async () => {
    const ended = await home.run(['dte', 'print', 'dte.xml', '-o', 'nowhere/page.pdf'])
    expect(ended).toMatchObject({
      code: 8,
      stderr:
        'Error: nowhere/page.pdf no se puede escribir: la carpeta no existe.\nLibera espacio, o indica otro lugar con --output.\n',
    })
  })

  it('refuses a number that the envelope does not have', async () => {
    expect(await home.run(['dte', 'print', 'sobre.xml', '--number', '2'])).toMatchObject({ code: 2 })
  })
})

describe('caf show', () => {
  it('tells a CAF that the SII did not sign, and shows nothing of its key', async () => {
    const { code, stdout, stderr } = await home.run(['caf', 'show', 'caf.xml'])
    expect(code).toBe(7)
    expect(stdout).toContain('El CAF no es del SII')
    expect(stdout + stderr).not.toMatch(/PRIVATE KEY|RSASK/)
  })
})

describe('pfx show', () => {
  const password = 'timbre trigger'
  beforeAll(async () => {
    const pfx = await makePfx(20)
    writeFileSync(file('person.pfx'), Buffer.from(pfx.file, 'base64'))
  })

  it.each([
    ['the environment', [], { env: { TIMBRE_PASSWORD: password } }],
    ['stdin', ['--stdin'], { input: `${password}\n` }],
  ])('takes the password from %s and shows whose it is', async (_where, args, given) => {
    const { code, stdout } = await home.run(['pfx', 'show', 'person.pfx', ...args], given)
    expect(code).toBe(0)
    expect(stdout).toContain('Persona de Prueba, RUT 11111111-1')
    expect(stdout).toMatch(/en (19|20) días: renuévalo pronto/)
  })

  it('ends with 7 for a wrong password, and with 2 where there is nobody to ask', async () => {
    expect(await home.run(['pfx', 'show', 'person.pfx'], { env: { TIMBRE_PASSWORD: 'x' } })).toMatchObject({ code: 7 })
    expect(await home.run(['pfx', 'show', 'person.pfx'])).toMatchObject({ code: 2 })
  })
})

describe('set parse', () => {
  it('shows what a set asks for, and ends with 7 for what is none', async () => {
    const set = [
      'SET BASICO - NUMERO DE ATENCION: 414175',
      'CASO 414175-1',
      '==============',
      'DOCUMENTO\tFACTURA ELECTRONICA',
      'ITEM\tCANTIDAD\tPRECIO UNITARIO',
      'Cajón AFECTO\t123\t923',
    ]
    writeFileSync(file('set.txt'), Buffer.from(set.join('\n\n'), 'latin1'))
    const { code, stdout } = await home.run(['set', 'parse', 'set.txt'])
    expect(stdout).toContain('caso 414175-1: Factura electrónica, 1 ítems')
    expect(code).toBe(0)
    writeFileSync(file('none.txt'), 'Hola')
    expect(await home.run(['set', 'parse', 'none.txt'])).toMatchObject({ code: 7 })
  })
})
