import type { Ambiente } from './sii.ts'

/** One call to the SII, as it went. Nothing in it is a secret. */
export interface SiiCall {
  readonly service: string
  readonly operation: string
  readonly ambiente: Ambiente
  readonly at: Date
  readonly ms: number
  readonly outcome: 'ok' | 'unreachable' | 'refused' | 'not_understood' | 'session_cap'
  /** The SII's own code, where it gave one. */
  readonly estado: string | null
  /** What was missing in an answer that was not understood, or the words of a refusal. */
  readonly detail: string | null
  /** What went over the wire, redacted and cut. */
  readonly trace: object
}

/** Every act of a service begins with these: any other answer of the service says that they work again. */
const LOGINS: readonly string[] = ['getSeed', 'getToken', 'boleta.semilla', 'boleta.token']

type Asked = Pick<SiiCall, 'service' | 'ambiente' | 'operation'>

/** What a job waits for while the SII does not answer a question. */
export function waitOf({ service, ambiente, operation }: Asked): string {
  const of_service = `sii ${ambiente} ${service}`
  return LOGINS.includes(operation) ? of_service : `${of_service} ${operation}`
}

/** What an answer to a question says to be there again. */
export function answeredBy({ service, ambiente, operation }: Asked): readonly string[] {
  return [waitOf({ service, ambiente, operation: LOGINS[0] as string }), waitOf({ service, ambiente, operation })]
}

/** The two roads by which documents reach the SII. */
export type SiiRoad = 'dte' | 'boleta'

/** The services we speak to, as we name them. */
export const SII_SERVICES = [
  'dte',
  'boleta_api',
  'boleta_upload',
  'claims',
  'login_certificate',
  'login_clave',
  'portal',
  'mipyme',
] as const
export type SiiServiceName = (typeof SII_SERVICES)[number]

export const SII_STATES = ['up', 'degraded', 'down', 'unknown'] as const
export type SiiState = (typeof SII_STATES)[number]

export interface WeatherPoint {
  readonly at: Date
  readonly calls: number
  readonly failures: number
  readonly mean_ms: number
}

export interface ServiceWeather {
  readonly service: SiiServiceName
  /** Of the last hour, as the figures below it. */
  readonly state: SiiState
  readonly calls: number
  readonly failures: number
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly day: readonly WeatherPoint[]
  readonly month: readonly WeatherPoint[]
}

export interface VerdictPace {
  readonly documents: number
  readonly p50_seconds: number | null
  readonly p95_seconds: number | null
}

export interface Weather {
  readonly ambiente: Ambiente
  readonly services: readonly ServiceWeather[]
  readonly verdicts: Readonly<Record<'dte' | 'boleta', VerdictPace>>
}

export interface WeatherReport {
  readonly measured_at: Date
  readonly weather: readonly Weather[]
}

/** How the SII answers these days: measured by us, told to everybody. */
export interface SiiWeather {
  called(call: SiiCall): void
  /** Documents that got their verdict: seconds from sent to settled. */
  settled(road: SiiRoad, ambiente: Ambiente, seconds: readonly number[]): void
  /** The seconds within which half of the documents of the last hour were settled; null where none was. */
  pace(road: SiiRoad): number | null
  /** Of both environments, at most a minute old. */
  report(): Promise<WeatherReport>
  /** Writes down what this process has counted, has jobs run that waited for what answers, and learns the pace of all. */
  sweep(): Promise<void>
}
