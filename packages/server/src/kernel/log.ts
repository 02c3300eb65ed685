import { type Logger, pino } from 'pino'

export type Log = Logger

// Anything shaped like one of our secrets is cut, wherever it turns up: the last line of defence behind
// the rule that bodies, headers and SQL values are not logged at all.
const SECRETS = /\b(sk_(?:test|live)_(?:root_)?|whsec_|Bearer\s{1,8}|eyJ)[\w+/=.-]+/g

// The password of an address such as postgres://user:password@host.
const PASSWORDS = /(:\/\/[^\s:/@]*:)[^\s/@]+@/g

export function scrub(text: string): string {
  return text.replace(PASSWORDS, '$1[secret]@').replace(SECRETS, '$1[secret]')
}

/** Describes an unexpected error by its kind and place, never by the data it happened on. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error }
  const code = (error as { code?: unknown }).code
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  // A database error quotes the row it failed on; its code and constraint are enough to find the cause.
  const fromDatabase = 'severity' in error
  const constraint = (error as { constraint?: unknown }).constraint
  return {
    kind: error.name,
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(!fromDatabase && { message: scrub(error.message) }),
    at: frames.slice(0, 8).map((line) => line.trim()),
  }
}

export function openLog(level: string, destination?: { write(line: string): void }): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return destination ? pino(options, destination) : pino(options)
}
