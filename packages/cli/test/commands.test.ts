import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { candidates, completionScript, SHELLS } from '../src/completion.ts'
import { helpOf, overview } from '../src/help.ts'
import { GLOBAL_OPTIONS, parseCommandLine } from '../src/parse.ts'
import { commandTables, environmentTable, exitTable } from '../src/readme.ts'
import { openHome } from './support/timbre.ts'

const home = openHome()
afterAll(() => home.close())

describe('every command', () => {
  it.each(COMMANDS)('$name can be loaded, and its help names what it takes', async (command) => {
    expect((await command.load()).run).toBeTypeOf('function')
    const help = helpOf(command)
    for (const { name } of command.arguments ?? []) expect(help).toContain(name)
    for (const option of Object.keys(command.options ?? {})) expect(help).toContain(`--${option}`)
    expect(overview(COMMANDS)).toContain(command.summary)
  })

  it('takes no secret as an option: `ps` and the history would show it', async () => {
    const options = COMMANDS.flatMap(({ options = {} }) => Object.keys(options)).concat(Object.keys(GLOBAL_OPTIONS))
    expect(options.filter((name) => /^(key|api-key|password|secret|token)$/.test(name))).toEqual([])
    for (const flag of ['--key=sk_test_x', '--password', '--token']) {
      expect(() => parseCommandLine(COMMANDS, ['documents', 'get', 'doc_1', flag])).toThrow('does not exist')
    }
    const { code, stderr } = await home.run(['init', '--key', 'sk_test_verysecret'])
    expect(code).toBe(2)
    expect(stderr).not.toContain('verysecret')
  })
})

describe('the command line', () => {
  const parse = (...argv: string[]) => parseCommandLine(COMMANDS, argv)

  it('finds the longest name, with options before, between and after its words', () => {
    expect(parse('--json', 'dte', 'verify', 'x.xml').command?.name).toBe('dte verify')
    expect(parse('--profile', 'work', 'documents', 'get', 'doc_1', '--json')).toMatchObject({ args: ['doc_1'] })
  })

  it.each([
    [['documents', 'get'], 'needs DOCUMENT_ID'],
    [['documents', 'get', 'a', 'b'], 'does not take "b"'],
    [['completion', 'tcsh'], 'SHELL cannot be "tcsh"'],
    [['documents', 'pdf', 'a', '--format', 'a4'], '--format cannot be "a4"'],
    [['listen', '--forwards-to', 'x'], "Unknown option '--forwards-to'"],
  ])('%s is refused with a sentence', (argv, said) => {
    expect(() => parse(...argv)).toThrow(said)
  })

  it('a misspelt command ends with 2 and the one that was meant', async () => {
    const { code, stderr, stdout } = await home.start(['documents', 'crate']).ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('`timbre documents create`')
  })

  it('says its errors as JSON to a program', async () => {
    const { code, stderr } = await home.run(['documents', 'get', '--json'])
    expect(code).toBe(2)
    const error = { exit: 'usage', message: expect.stringContaining('DOCUMENT_ID') }
    expect(JSON.parse(stderr)).toMatchObject({ error })
  })

  it('prints no colours where there is no terminal', async () => {
    const { stdout } = await home.start(['trigger', '--list']).ended
    expect(stdout).toContain('document.accepted')
    expect(stdout).not.toContain('\u001b')
  })
})

describe('completion', () => {
  it('offers commands, then the options and choices of the one that is named', () => {
    const known = candidates(COMMANDS)
    expect(known.get('')).toEqual(expect.arrayContaining(['listen', 'dte', '--version']))
    expect(known.get('dte')).toEqual(['verify', 'print'])
    expect(known.get('completion')).toEqual(expect.arrayContaining([...SHELLS, '--json']))
    expect(known.get('listen')).toContain('--forward-to')
  })

  it('of bash completes a word of a real command line', () => {
    const script = `${completionScript('bash', COMMANDS)}
      COMP_WORDS=(timbre --json dte ve); COMP_CWORD=3; _timbre; echo "\${COMPREPLY[*]}"
      COMP_WORDS=(timbre listen --fo); COMP_CWORD=2; _timbre; echo "\${COMPREPLY[*]}"`
    const { stdout, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect({ status, lines: stdout.trim().split('\n') }).toEqual({ status: 0, lines: ['verify', '--forward-to'] })
  })

  it.each(['zsh', 'fish'] as const)('of %s names every command', (shell) => {
    const script = completionScript(shell, COMMANDS)
    for (const { name } of COMMANDS) expect(script).toContain(name)
    const checked = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })
    if (checked.error) console.warn(`not checked: there is no ${shell} here to read its completion`)
    else expect(checked).toMatchObject({ status: 0, stderr: '' })
  })
})

describe('the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

  it.each([
    ['commands', commandTables(COMMANDS)],
    ['exit codes', exitTable()],
    ['environment', environmentTable()],
  ])('has the table of %s as the program knows it', (_name, table) => {
    expect(readme).toContain(table)
  })
})
