import type { HeaderValue, Sent } from './sent.ts'

/** In double quotes, where the shell puts variables in. */
const quoted = ({ before, variable }: HeaderValue) =>
  `"${before.replace(/[\\"$`]/g, '\\$&')}${variable ? `$${variable}` : ''}"`
const header = (name: string, { before, variable }: HeaderValue) =>
  `-H ${quoted({ before: `${name}: ${before}`, ...(variable && { variable }) })}`

/** In single quotes nothing is special but the quote itself. */
const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The call for a shell. */
export function curlSample({ method, url, headers, body, file }: Sent): string {
  // curl sends a GET by itself, and a POST where there is a body.
  const implied = method === 'GET' || (method === 'POST' && body !== undefined)
  const parts = [
    `curl ${implied ? '' : `-X ${method} `}${/[?&{}]/.test(url) ? single(url) : url}`,
    ...headers.map(([name, value]) => header(name, value)),
    ...(body === undefined ? [] : [`-d ${single(JSON.stringify(body, null, 2))}`]),
    ...(file === null ? [] : [`-o ${file}`]),
  ]
  return parts.join(' \\\n  ')
}
