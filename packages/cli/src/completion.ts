import type { Command, OptionSpec } from './command.ts'
import { GLOBAL_OPTIONS } from './parse.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** What may follow the words typed so far: names of commands, then the options and choices of the one that is named. */
export function candidates(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, Set<string>>()
  const add = (prefix: string, word: string) => known.set(prefix, (known.get(prefix) ?? new Set()).add(word))
  for (const { name, arguments: specs = [], options = {} } of commands) {
    const parts = name.split(' ')
    for (const [place, part] of parts.entries()) add(parts.slice(0, place).join(' '), part)
    for (const word of specs[0]?.choices ?? []) add(name, word)
    const all: Readonly<Record<string, OptionSpec>> = { ...options, ...GLOBAL_OPTIONS }
    for (const option of Object.keys(all)) add(name, `--${option}`)
  }
  for (const option of [...Object.keys(GLOBAL_OPTIONS), 'version']) add('', `--${option}`)
  return new Map([...known].map(([prefix, words]) => [prefix, [...words]]))
}

const CASES = (commands: readonly Command[]) =>
  [...candidates(commands)].map(([prefix, words]) => `    '${prefix}') words='${words.join(' ')}' ;;`).join('\n')

/** Commands whose first argument is a file, so that a shell offers files there. */
const takesFile = (commands: readonly Command[]) =>
  commands.filter(({ arguments: specs = [] }) => specs[0]?.file).map(({ name }) => `'${name}'`)

/** Words without options, cut from the end until a prefix is known. */
const PREFIX = `  local prefix='' word words=''
  for word in "\${typed[@]}"; do
    [[ $word == -* ]] && continue
    prefix="\${prefix:+$prefix }$word"
  done`

function bash(commands: readonly Command[]): string {
  return `# timbre completion bash
_timbre() {
  local cur="\${COMP_WORDS[COMP_CWORD]}"
  local typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${PREFIX}
  case "$prefix" in
${CASES(commands)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case "$prefix" in ${takesFile(commands).join('|')}) COMPREPLY+=($(compgen -f -- "$cur")) ;; esac
}
complete -o filenames -F _timbre timbre
`
}

function zsh(commands: readonly Command[]): string {
  return `#compdef timbre
_timbre() {
  local -a typed
  typed=("\${(@)words[2,CURRENT-1]}")
${PREFIX.replace(" words=''", '')}
  local offered=''
  case "$prefix" in
${CASES(commands).replaceAll(' words=', ' offered=')}
  esac
  compadd -- \${=offered}
  case "$prefix" in ${takesFile(commands).join('|')}) _files ;; esac
}
if [ "$funcstack[1]" = "_timbre" ]; then _timbre; else compdef _timbre timbre; fi
`
}

function fish(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = [...candidates(commands)].map(
    ([prefix, words]) =>
      `complete -c timbre -f -n ${quoted(`__timbre_at ${quoted(prefix)}`)} -a ${quoted(words.join(' '))}`,
  )
  const files = takesFile(commands).map((name) => `complete -c timbre -F -n ${quoted(`__timbre_at ${name}`)}`)
  return `# timbre completion fish
function __timbre_at
  set -l typed (string match -v -- '-*' (commandline -opc)[2..-1])
  test (string join ' ' -- $typed) = "$argv[1]"
end
${[...lines, ...files].join('\n')}
`
}

const WRITERS: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return WRITERS[shell](commands)
}
