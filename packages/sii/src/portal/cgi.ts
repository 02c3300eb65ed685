import type { Ambiente } from '../hosts.ts'
import type { Read, Wire } from '../wire.ts'
import type { PageAnswer } from './judge.ts'
import type { PortalUser } from './log-in.ts'
import type { Form } from './page.ts'
import type { PortalSession } from './session.ts'
import type { Sessions } from './sessions.ts'

const DOOR = '/cvc_cgi/dte/'

/** The programs of maullin and palena that a person uses with a browser, one page after the other. */
export interface CgiDoor {
  /** One step of a flow: a program of the portal, after the one before it (`of_genera_archivo` fails without a Referer). */
  step<T>(
    program: string,
    fields: Iterable<readonly [string, string]> | null,
    read: (answer: PageAnswer) => Read<T>,
  ): Promise<T>
}

/** Runs a flow alone in the person's session: the portal remembers between the steps what was asked for. */
export function throughDoor<T>(
  wire: Wire,
  sessions: Sessions,
  { user, ambiente }: { readonly user: PortalUser; readonly ambiente: Ambiente },
  first: string,
  flow: (door: CgiDoor) => Promise<T>,
): Promise<T> {
  const target = `${wire.hosts[ambiente].dte}${DOOR}${first}`
  return sessions.use({ user, ambiente, target, alone: true }, (session) => flow(doorOf(session)))
}

function doorOf(session: PortalSession): CgiDoor {
  let before: string | undefined
  return {
    step: (program, fields, read) => {
      const path = `${DOOR}${program}`
      const referer = before === undefined ? {} : { referer: before }
      before = path
      const form = fields === null ? {} : { form: fields }
      return session.ask({ service: 'dte', operation: program, path, ...referer, ...form }, read)
    },
  }
}

/** What the form of a page sends, with its button and what we put in. */
export function filled(form: Form, fields: Iterable<readonly [string, string]>): Map<string, string> {
  return new Map([...form.fields, ...form.buttons, ...fields])
}
