import { CheckpointError, ConnectionError, TimbreError, UnexpectedAnswerError } from '@timbre/sdk/core'
import { CliError, type ExitName } from '../exit.ts'

/** Any failure of a call as a sentence that says what to do. What is none of these is a fault of this program. */
export function explain(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (error instanceof CheckpointError) return new CliError(exitOfCheckpoint(error), error.message, error.hint)
  if (error instanceof ConnectionError) return ofConnection(error)
  if (error instanceof UnexpectedAnswerError) return ofStranger(error)
  if (error instanceof TimbreError) return ofRefusal(error)
  const message = error instanceof Error ? error.message : String(error)
  const remedy =
    'Look with `timbre doctor` whether that is Timbre, and of the same version as `timbre --version`. If so, this is a fault of the program: please tell us what you ran.'
  return new CliError('failure', `Something came that this program does not understand: ${message}.`, remedy)
}

const exitOfCheckpoint = ({ code }: CheckpointError): ExitName => (code === 'checkpoint_unknown' ? 'refused' : 'file')

function exitOf(status: number | undefined): ExitName {
  if (status === undefined) return 'usage'
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not_found'
  return status === 429 || status >= 500 ? 'unreachable' : 'refused'
}

/** What a person at a terminal does about it, where the hint is written for a program. */
const REMEDIES: Readonly<Record<string, string>> = {
  invalid_api_key:
    'It is wrong, revoked, or of another server. Look at TIMBRE_KEY and TIMBRE_URL, or run `timbre login` again.',
  empresa_header_required: 'Name the empresa: --empresa RUT or TIMBRE_EMPRESA.',
  invalid_credentials: 'Look at the e-mail and the password; /recuperar on the server sends a link for a new one.',
  email_taken: 'That e-mail has an account: run `timbre login`.',
  mode_not_allowed: 'The key is of the other mode: `timbre doctor` shows which, `--profile` chooses another.',
}

function ofRefusal(error: TimbreError): CliError {
  const { code, status, param, hint, requestId, message, errors } = error
  const named = `${message.replace(/\.$/, '')} (${param ? `${code}, ${param}` : code}).`
  const others = errors.slice(1).map((one) => `Also: ${one.message.replace(/\.$/, '')}.`)
  const remedy = [...others, REMEDIES[code] ?? hint, requestId && `Request ${requestId}.`].filter(Boolean).join(' ')
  const told = { code, param: param ?? null, status: status ?? null, request_id: requestId ?? null }
  const facts = { ...told, ...(others.length > 0 && { errors }) }
  return new CliError(exitOf(status), named, remedy || undefined, facts)
}

function ofConnection({ message, code }: ConnectionError): CliError {
  const remedy = 'Is the server running, and is TIMBRE_URL right? `timbre doctor` looks at each step.'
  return new CliError('unreachable', message, remedy, { code })
}

/** Something answered that is not the API: a proxy, a login page of a network, another program on that port. */
function ofStranger({ message, status, code }: UnexpectedAnswerError): CliError {
  const exit = status !== undefined && status >= 400 && status < 500 && status !== 429 ? 'refused' : 'unreachable'
  const remedy = 'A proxy or a login page may stand in between, or TIMBRE_URL is the address of something else.'
  return new CliError(exit, message, remedy, { code, status: status ?? null })
}
