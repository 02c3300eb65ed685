/** A call as it was sent. */
export interface SentCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Fields of bodies that open something for whoever knows them, or hold a file: every one of the contract's is among these. */
const SECRET_FIELDS = /^(.*password|(.*_)?token|file|content|caf)$/
const LONGEST_BODY = 4_000

const SECRETS: Readonly<Record<string, string>> = {
  Authorization: '"Authorization: Bearer $TIMBRE_KEY"',
  'Svc-Operator-Secret': '"Svc-Operator-Secret: $TIMBRE_OPERATOR_SECRET"',
}

const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function withoutSecrets(body: string): string {
  try {
    return JSON.stringify(
      JSON.parse(body, (name, value) => (SECRET_FIELDS.test(name) && typeof value === 'string' ? '…' : value)),
    )
  } catch {
    return '…'
  }
}

/** The call as a line for a terminal. The credential is a variable, and secrets of the body are cut out. */
export function curlOf({ method, url, headers, body }: SentCall): string {
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), shell(url)]
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'User-Agent') parts.push('-H', SECRETS[name] ?? shell(`${name}: ${value}`))
  }
  if (body !== undefined) {
    const shown = withoutSecrets(body)
    parts.push('-d', shown.length > LONGEST_BODY ? '@body.json' : shell(shown))
  }
  return parts.join(' ')
}
