/** How a command ends, for scripts to branch on. A number never changes its meaning. */
export const EXIT = {
  ok: { code: 0, when: 'It was done.' },
  failure: { code: 1, when: 'Something else went wrong: a fault of this program, or one that no other code names.' },
  usage: { code: 2, when: 'The command line cannot be read, or something is missing that it needs.' },
  refused: { code: 3, when: 'The API refused the request: a field, a rule, a conflict. The message says which.' },
  not_found: { code: 4, when: 'The API does not know what was asked for, under this key.' },
  auth: { code: 5, when: 'No key, a wrong one, one of the other mode, or one that may not do this.' },
  unreachable: { code: 6, when: 'No answer: nobody there, a time limit, a fault of the server, too many requests.' },
  invalid: { code: 7, when: 'The file was read and is not valid, or `doctor` found something to mend.' },
  file: { code: 8, when: 'A file or the disk: not found, not readable, not writable, full.' },
  busy: { code: 9, when: 'Another process is doing it: a second `listen` on one checkpoint.' },
  interrupted: { code: 130, when: 'Ctrl-C.' },
} as const

export type ExitName = keyof typeof EXIT

/** A failure that the person can act on: one sentence of what happened, one of what to do. */
export class CliError extends Error {
  readonly exit: ExitName
  readonly remedy: string | undefined
  /** What `--json` adds: the code of the API, the field, the request. */
  readonly facts: Readonly<Record<string, unknown>>

  constructor(exit: ExitName, message: string, remedy?: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'CliError'
    this.exit = exit
    this.remedy = remedy
    this.facts = facts
  }
}
