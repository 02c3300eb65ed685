import type { PageAnswer } from '../portal/judge.ts'
import type { PortalRequest } from '../portal/session.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Read, Wire } from '../wire.ts'
import { AMBIENTE, type CertificationQuestion } from './door.ts'

/** One of the applications of www4 that certify: what it is given, after its folder. */
export interface App {
  ask<T>(
    request: Pick<PortalRequest, 'operation' | 'path' | 'form' | 'multipart' | 'max_bytes'>,
    read: (answer: PageAnswer) => Read<T>,
  ): Promise<T>
}

/** Runs a flow in an application, alone in the person's session. */
export function inApp<T>(
  wire: Wire,
  sessions: Sessions,
  { user }: CertificationQuestion,
  folder: string,
  flow: (app: App) => Promise<T>,
): Promise<T> {
  const target = `${wire.hosts[AMBIENTE].portal}${folder}`
  return sessions.use({ user, ambiente: AMBIENTE, target, alone: true }, (session) =>
    flow({
      ask: (request, read) =>
        session.ask({ ...request, service: 'portal', path: `${folder}${request.path}`, referer: folder }, read),
    }),
  )
}

/** The company in the query of an application. */
export function companyQuery({ rut }: Pick<CertificationQuestion, 'rut'>): string {
  const [number = '', dv = ''] = rut.split('-')
  return `re=${number}&dve=${dv}`
}
