import type { SiiClient } from '../client.ts'
import type { Ambiente } from '../hosts.ts'
import type { Identity } from '../identity.ts'

/** Who asks at the doors, and about whom. */
export interface DoorQuestion {
  readonly identity: Identity
  readonly ambiente: Ambiente
  /** The taxpayer whom the questions are about. */
  readonly company_rut: string
  /** `YYYY-MM`, of the register. */
  readonly period: string
}

export interface HarmlessDoor {
  readonly name: string
  /** Opens, or needs, a session of the person at the portal. */
  readonly session?: true
  ask(client: SiiClient, question: DoorQuestion): Promise<unknown>
}

/** What nobody has issued: the last number of a folio, to the SII itself. */
const UNKNOWN = { tipo_dte: 33, folio: 999_999_999, receptor_rut: '60803000-K', issue_date: '2020-01-02', total: 1 }
const UNKNOWN_TRACK_ID = '9999999999'
const SIGNATURE = Buffer.alloc(256, 7).toString('base64')

const callerOf = ({ identity, ambiente }: DoorQuestion) => ({ identity, ambiente })
const portal = ({ identity, ambiente }: DoorQuestion) => ({
  user: { kind: 'certificate', identity } as const,
  ambiente,
})
const unknown = ({ company_rut }: DoorQuestion) => ({ ...UNKNOWN, emisor_rut: company_rut })

/** Questions that change nothing at the SII: they upload nothing, ask for no folio, claim and annul nothing. */
export const HARMLESS_DOORS: readonly HarmlessDoor[] = [
  { name: 'token', ask: (sii, who) => sii.withDteToken(callerOf(who), async () => undefined) },
  {
    name: 'envelope_status',
    ask: (sii, who) =>
      sii.dte.envelopeStatus(callerOf(who), { company_rut: who.company_rut, track_id: UNKNOWN_TRACK_ID }),
  },
  { name: 'document_status', ask: (sii, who) => sii.dte.documentStatus(callerOf(who), unknown(who)) },
  {
    name: 'document_status_advanced',
    ask: (sii, who) => sii.dte.signedDocumentStatus(callerOf(who), { ...unknown(who), signature_value: SIGNATURE }),
  },
  {
    name: 'boleta_envelope_status',
    ask: (sii, who) =>
      sii.boleta.envelopeStatus(callerOf(who), { company_rut: who.company_rut, track_id: UNKNOWN_TRACK_ID }),
  },
  {
    name: 'boleta_status',
    ask: (sii, who) => sii.boleta.documentStatus(callerOf(who), { ...unknown(who), tipo_dte: 39 }),
  },
  { name: 'claims_events', ask: (sii, who) => sii.claims.events(callerOf(who), unknown(who)) },
  { name: 'claims_cedible', ask: (sii, who) => sii.claims.cedibility(callerOf(who), unknown(who)) },
  { name: 'claims_received', ask: (sii, who) => sii.claims.receivedAt(callerOf(who), unknown(who)) },
  { name: 'cesion_status', ask: (sii, who) => sii.cesion.documentStatus(callerOf(who), unknown(who)) },
  {
    name: 'company_page',
    ask: (sii, { company_rut: rut, ambiente }) => sii.taxpayers.authorisation({ rut, ambiente }),
  },
  {
    name: 'folio_situation',
    session: true,
    ask: (sii, who) => sii.folios.situation({ ...portal(who), rut: who.company_rut, tipo: UNKNOWN.tipo_dte }),
  },
  {
    name: 'rcv_totals',
    session: true,
    ask: (sii, who) => sii.rcv.totals({ ...portal(who), rut: who.company_rut, period: who.period }, { side: 'sale' }),
  },
  { name: 'f29_periods', session: true, ask: (sii, who) => sii.f29.periods(portal(who)) },
  { name: 'logout', session: true, ask: (sii, who) => sii.logOut(portal(who).user, who.ambiente) },
]
