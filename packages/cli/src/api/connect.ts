import { createClient, type FileAnswer, type RawRequest, type TimbreOptions } from '@timbre/sdk/core'
import type { Context } from '../command.ts'
import { requireKey } from '../config/settings.ts'
import { CliError } from '../exit.ts'
import type { Output } from '../output.ts'
import type { Api, ApiRequest, Mode } from './api.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type Patience, Silence } from './silence.ts'

interface Credential {
  readonly url: string
  /** An API key, the token of a session, or null for what needs neither. */
  readonly key: string | null
  readonly mode?: Mode
  readonly empresa?: string | undefined
}

/** Who waits for the answers. */
interface Caller {
  readonly signal: AbortSignal
  readonly out: Pick<Output, 'json' | 'note'>
}

/** The API under the key in use. */
export async function connect(ctx: Context): Promise<Api> {
  const settings = ctx.settings()
  const key = requireKey(settings)
  return openClient(ctx, { url: settings.url, key, mode: modeOf(key), empresa: settings.empresa })
}

/** The settings of the SDK for a credential. Nothing is left to its own defaults: the profile was asked already. */
export function optionsOf({ url, key, mode = 'test', empresa }: Credential): TimbreOptions {
  return { baseUrl: url, key: key ?? '', mode, empresa: empresa ?? '', fetch: boundedFetch }
}

export async function openClient({ signal, out }: Caller, credential: Credential, patience?: Patience): Promise<Api> {
  // A program that reads the error as JSON finds nothing else there.
  const note = (text: string) => (out.json ? undefined : out.note(text))
  const send = async (method: string, path: string, { query, body, ...options }: ApiRequest = {}) => {
    const silence = new Silence(credential.url, note, patience)
    const client = createClient({ ...optionsOf(credential), fetch: silence.watch(boundedFetch) }, {})
    const either = AbortSignal.any([signal, silence.signal])
    const request: RawRequest = { query, body, options: { signal: either, ...options } }
    try {
      return await refusePages(credential.url, await client.request(method, path, request))
    } catch (error) {
      throw silence.signal.aborted && !signal.aborted ? silence.error : error
    } finally {
      silence.end()
    }
  }
  return {
    url: credential.url,
    mode: credential.mode ?? 'test',
    empresa: credential.empresa,
    async call<T>(method: string, path: string, request?: ApiRequest): Promise<T> {
      const answer = await send(method, path, request)
      if (!isFile(answer)) return answer as T
      await answer.stream.cancel()
      throw new CliError('usage', `${path} answers a file.`, 'Name a place for it with --output FILE, or - for stdout.')
    },
    async download(path, request) {
      const answer = await send('GET', path, request)
      if (isFile(answer)) {
        const { contentType, filename } = answer
        return { bytes: await answer.bytes(), contentType, filename: filename ?? null }
      }
      const bytes = Buffer.from(`${JSON.stringify(answer, null, 2)}\n`)
      return { bytes, contentType: 'application/json', filename: null }
    },
  }
}

/** No operation answers a page: it is that of a proxy, of a network that wants a login, or of another program. */
async function refusePages(url: string, answer: unknown): Promise<unknown> {
  if (!isFile(answer) || !/html/.test(answer.contentType)) return answer
  await answer.stream.cancel()
  const remedy =
    'A proxy or a login page of the network stands in between, or TIMBRE_URL is the address of something else.'
  throw new CliError('unreachable', `${url} answers with a page, and not as this API does.`, remedy)
}

function isFile(answer: unknown): answer is FileAnswer {
  return typeof answer === 'object' && answer !== null && 'stream' in answer && 'contentType' in answer
}

export function modeOf(key: string): Mode {
  if (key.startsWith('sk_test_')) return 'test'
  if (key.startsWith('sk_live_')) return 'live'
  throw new CliError(
    'auth',
    'The key is none of this API: keys begin with sk_test_ or sk_live_.',
    'Look whether TIMBRE_KEY was cut or holds something else.',
  )
}

/** For what only the sandbox has. */
export function requireSandbox(api: Api, what: string): void {
  if (api.mode === 'test') return
  throw new CliError(
    'auth',
    `${what} is of the sandbox alone, and this key is of live mode.`,
    'Use a key that begins with sk_test_: `timbre init` makes one, `--profile` chooses another.',
  )
}
