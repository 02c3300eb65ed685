import { randomBytes, randomUUID } from 'node:crypto'
import { santiagoDate } from '@timbre/dte/values'
import { type Api, type ApiRequest, pollUntil } from '../api/api.ts'
import { CliError } from '../exit.ts'
import { inventRut } from '../invent-rut.ts'

export interface Resource {
  readonly id: string
  readonly status?: string
  readonly [field: string]: unknown
}

/** An empresa of the sandbox to act in. */
export interface Stage {
  readonly id: string
  readonly rut: string
  post<T = Resource>(path: string, body?: unknown): Promise<T>
  get<T = Resource>(path: string): Promise<T>
  patch<T = Resource>(path: string, body: unknown): Promise<T>
  remove(path: string): Promise<void>
  /** Lets time pass for this empresa alone. */
  advance(duration: string): Promise<void>
  /** Issues a document and waits until the SII of the sandbox has decided about it. */
  issue(body: unknown): Promise<Resource>
}

/** What a trigger acts with. */
export interface Scene {
  readonly api: Api
  readonly signal: AbortSignal
  /** Today in Chile, by the real clock. */
  readonly today: string
  /** The empresa in use. */
  own(): Promise<Stage>
  /** A new one, for what moves time or ends an empresa: yours stays as it is. */
  fresh(): Promise<Stage>
  until<T>(look: () => Promise<T>, settled: (value: T) => boolean): Promise<T>
}

export const FRESH_NAME = 'Empresa de timbre trigger'

interface ListedEmpresa {
  readonly id: string
  readonly rut: string
}

export function openScene(api: Api, signal: AbortSignal): Scene {
  const until = <T>(look: () => Promise<T>, settled: (value: T) => boolean) =>
    pollUntil(look, settled, { signal, everyMs: 300, tries: 400 })
  const stageOf = (empresa: ListedEmpresa) => openStage(api, empresa, until)
  return {
    api,
    signal,
    until,
    today: santiagoDate(new Date()),
    async own() {
      const { data } = await api.call<{ data: ListedEmpresa[] }>('GET', '/empresas', { query: { limit: 100 } })
      const found = data.find(({ rut }) => rut === api.empresa) ?? (api.empresa === undefined ? data[0] : undefined)
      if (found) return stageOf(found)
      throw new CliError(
        'usage',
        'There is no empresa to act for.',
        'Name one with --empresa RUT, or run `timbre init`.',
      )
    },
    async fresh() {
      const body = { rut: inventRut(randomBytes(4).readUInt32BE()), legal_name: FRESH_NAME }
      return stageOf(await api.call<ListedEmpresa>('POST', '/empresas', { body }))
    },
  }
}

function openStage(api: Api, { id, rut }: ListedEmpresa, until: Scene['until']): Stage {
  const call = <T>(method: string, path: string, request: ApiRequest = {}) =>
    api.call<T>(method, path, { ...request, ...(takesEmpresa(path) && { empresa: rut }) })
  const stage: Stage = {
    id,
    rut,
    post: (path, body) => call('POST', path, { ...(body !== undefined && { body }), idempotencyKey: randomUUID() }),
    get: (path) => call('GET', path),
    patch: (path, body) => call('PATCH', path, { body }),
    remove: async (path) => void (await call('DELETE', path)),
    async advance(duration) {
      const body = { empresa_rut: rut, advance: duration }
      const moved = await api.call<Resource>('POST', '/test_helpers/clock', { body })
      const look = () => api.call<Resource>('GET', '/test_helpers/clock', { query: { empresa_rut: rut } })
      if (moved.status !== 'ready') await until(look, ({ status }) => status === 'ready')
    },
    async issue(body) {
      const created = await stage.post('/documents', body)
      return until(
        () => stage.get(`/documents/${created.id}`),
        ({ status }) => status !== 'queued' && status !== 'sent',
      )
    },
  }
  return stage
}

/** An empresa that is named in the path is named there alone. */
const takesEmpresa = (path: string) => !/^\/(empresas|webhook_endpoints|events|jobs)\b/.test(path)
