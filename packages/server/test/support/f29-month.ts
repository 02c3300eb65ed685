// A month of sales and purchases as the F29 proposal sums it up.

import { expect, vi } from 'vitest'
import { type Issuer, openIssuer } from './issuer.ts'
import type { Sent, World } from './world.ts'
import { skipYearBefore } from './year-before.ts'

export const SUPPLIER = '76192083-9'
export const CLIENT = '77123456-9'

// A month with a hand-made sum in every line that matters; the arithmetic is written out in the test that checks it.
export const MONTH = {
  sales: [
    { tipo_doc: 33, folio: 1, counterparty_rut: CLIENT, net: 1_000_000, iva: 190_000 },
    { tipo_doc: 33, folio: 2, counterparty_rut: CLIENT, net: 500_000, iva: 95_000 },
    { tipo_doc: 34, folio: 3, counterparty_rut: CLIENT, exempt: 300_000 },
    { tipo_doc: 39, documents: 40, net: 400_000, iva: 76_000 },
    { tipo_doc: 61, folio: 4, counterparty_rut: CLIENT, net: 100_000, iva: 19_000 },
  ],
  purchases: [
    { tipo_doc: 33, folio: 11, counterparty_rut: SUPPLIER, net: 600_000, iva: 114_000 },
    { tipo_doc: 33, folio: 12, counterparty_rut: SUPPLIER, net: 100_000, exempt: 50_000, iva: 19_000 },
    { tipo_doc: 46, folio: 13, counterparty_rut: SUPPLIER, net: 200_000, iva: 38_000, total: 200_000 },
    { tipo_doc: 33, folio: 14, counterparty_rut: SUPPLIER, net: 10_000, iva: 1_900, tipo_compra: 2 },
    { tipo_doc: 33, folio: 15, counterparty_rut: SUPPLIER, net: 300_000, iva: 57_000, tipo_compra: 4 },
    { tipo_doc: 61, folio: 16, counterparty_rut: SUPPLIER, net: 50_000, iva: 9_500 },
    { tipo_doc: 56, folio: 17, counterparty_rut: SUPPLIER, net: 10_000, iva: 1_900 },
    {
      tipo_doc: 33,
      folio: 18,
      counterparty_rut: SUPPLIER,
      net: 20_000,
      iva_not_recoverable: 3_800,
      iva_not_recoverable_code: 1,
      tipo_compra: 6,
    },
    { tipo_doc: 34, folio: 19, counterparty_rut: SUPPLIER, exempt: 80_000 },
    { tipo_doc: 33, folio: 20, counterparty_rut: SUPPLIER, net: 100_000, iva: 19_000, estado_contable: 'PENDIENTE' },
  ],
}

export const PROPOSALS = '/v1/tax/f29/proposals'

/** An empresa whose register of a month was read and whose proposal is there. */
export async function openMonth(world: World, period: string, month: object = MONTH): Promise<Issuer> {
  const issuer = await openIssuer(world)
  await skipYearBefore(world, issuer)
  await fillMonth(issuer, period, month)
  return issuer
}

export async function fillMonth(issuer: Issuer, period: string, month: object): Promise<void> {
  const seeded = await issuer.post('/v1/test_helpers/rcv/seed', { period, ...month })
  if (seeded.status !== 200) throw new Error(seeded.text)
  await syncMonth(issuer, period)
}

export async function syncMonth(issuer: Issuer, period: string): Promise<void> {
  const asked = await issuer.post('/v1/tax/sync', { period })
  const patient = { timeout: 180_000, interval: 100 }
  await vi.waitFor(async () => {
    const job = await issuer.get(`/v1/jobs/${asked.body.id}`, { empresa: '' })
    expect(job.body.status).toBe('succeeded')
  }, patient)
  const computed = async () => (await issuer.get(`${PROPOSALS}/${period}`)).body
  await vi.waitFor(async () => expect((await computed()).stale).toBe(false), patient)
}

/** What nobody but the caller knows of a month; the surcharges are given, since those of a late month grow by the day. */
export const FIT = {
  ppm_rate: 0,
  overrides: [92, 93].map((code) => ({ code, amount: 0, reason: 'condonado' })),
}

/** A month that lacks nothing to be filed. */
export async function openFitMonth(world: World, period: string, month: object = MONTH): Promise<Issuer> {
  const issuer = await openMonth(world, period, month)
  const sent = await issuer.post(`${PROPOSALS}/${period}/recompute`, FIT)
  if (sent.status !== 200) throw new Error(sent.text)
  return issuer
}

/** Amounts of a proposal or a filing by their code. */
export function codesOf(sent: Sent): Record<number, number | null> {
  const codes = sent.body.codes as { code: number; amount: number | null; rate: number | null }[]
  return Object.fromEntries(codes.map(({ code, amount, rate }) => [code, amount ?? rate]))
}
