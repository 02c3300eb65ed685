// The whole play, scene by scene. Each leaves the empresa as the next one needs it.

import { santiagoDate } from '@timbre/dte/values'
import { SCOPE_NAMES } from '../../src/catalog/scopes.ts'
import type { CafRequest } from '../../src/ports/sii.ts'
import type { WebhookSender } from '../../src/ports/webhook-sender.ts'
import { standInSii } from '../support/stand-in-sii.ts'
import { openWorld } from '../support/world.ts'
import { lookAfterAccount, openAccount } from './account-scene.ts'
import { scenesOfBanking } from './banking-scene.ts'
import type { Examples } from './example.ts'
import { scenesOfIssuing } from './issuing-scene.ts'
import { operate, rehearse, WITHOUT_FOLIOS } from './onboarding-scene.ts'
import * as platform from './platform-scene.ts'
import { scenesOfReceiving } from './receiving-scene.ts'
import { Recorder } from './recorder.ts'
import { scenesOfTax } from './tax-scene.ts'
import type { Tenant } from './tenant.ts'

/** A receiver that takes whatever comes. */
const receiver: WebhookSender = {
  post: async () => ({ status: 200, failure: null, retry_after: null, excerpt: 'ok', duration_ms: 42 }),
  forbids: () => false,
  close: async () => undefined,
}

/** An SII of live mode that grants folios, but to one empresa. */
function siiOfThePlay() {
  const { sii, grant, issue } = standInSii()
  const requestCaf = async (request: CafRequest) => {
    if (request.rut === WITHOUT_FOLIOS) throw new Error('the SII of the play grants nothing to this one')
    return grant(request)
  }
  const caf = (emisor_rut: string) => {
    const authorised_on = santiagoDate(new Date())
    return issue({ emisor_rut, tipo_dte: 33, first_folio: 1001, last_folio: 1100, authorised_on }).toString('base64')
  }
  return { live_sii: { ...sii, requestCaf }, caf }
}

async function perform(film: Recorder, caf: (rut: string) => string): Promise<Tenant> {
  const { account_id } = await openAccount(film)
  const key = await film.world.key(account_id, { scopes: SCOPE_NAMES })
  const live = await film.world.key(account_id, { scopes: SCOPE_NAMES, mode: 'live' })
  const { data } = (await film.world.get('/v1/empresas', { key })).body
  const tenant: Tenant = { key, live, account_id, empresa_id: data[0].id, rut: data[0].rut }
  await platform.readReference(film)
  await platform.manageEmpresas(film, tenant)
  await platform.manageKeys(film, tenant)
  await platform.knowCounterparties(film, tenant)
  const endpoint = await platform.listen(film, tenant)

  const issuing = scenesOfIssuing(film, tenant)
  await issuing.use(await issuing.issue())
  await issuing.correct()
  await issuing.manageFolios()

  const receiving = scenesOfReceiving(film, tenant)
  const received = await receiving.answer()
  await receiving.replace()
  await receiving.setAside()

  const tax = scenesOfTax(film, tenant)
  await tax.readRegisters()
  await tax.writeExpenses()
  await tax.file()

  const banking = scenesOfBanking(film, tenant)
  await banking.connect()
  await banking.upload()
  await banking.match(received)
  await banking.suggest()
  await banking.undo()

  await rehearse(film, tenant)
  await operate(film, tenant, caf)
  await platform.readLedger(film, tenant, endpoint)
  await platform.seedYear(film, tenant)
  await platform.moveClock(film, tenant)
  await lookAfterAccount(film)
  return tenant
}

/** Every event that the play left in the ledger of test mode. */
async function ledgerOf({ world }: Recorder, key: string): Promise<readonly unknown[]> {
  const events: unknown[] = []
  for (let cursor = ''; ; ) {
    const { body } = await world.get(`/v1/events?limit=100${cursor && `&cursor=${cursor}`}`, { key })
    events.push(...body.data)
    if (!body.has_more) return events
    cursor = body.next_cursor
  }
}

/** Plays everything against a world of its own. */
export async function playExamples(): Promise<{ examples: Examples; events: readonly unknown[] }> {
  const { live_sii, caf } = siiOfThePlay()
  const world = await openWorld({ live_sii, webhooks: receiver })
  const film = new Recorder(world)
  try {
    const { key } = await perform(film, caf)
    return { examples: Object.fromEntries(film.examples), events: await ledgerOf(film, key) }
  } finally {
    await world.close()
  }
}
