// An empresa with a registro de compras y ventas in the sandbox SII.

import { expect } from 'vitest'
import type { Scope } from '../../src/catalog/scopes.ts'
import { type Issuer, openIssuer } from './issuer.ts'
import { until } from './until.ts'
import { randomRut, type Sent, type World } from './world.ts'
import { skipYearBefore } from './year-before.ts'

/** A supplier that the seeds of a test may all come from. */
export const SUPPLIER = '76192083-9'
export const PERIOD = '2026-09'

/** An empresa with the register that the sandbox keeps of it. */
export interface Register extends Issuer {
  seed(body: object): Promise<Sent>
  /** Asks for a reading and waits until it ended. Gives the job. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  sync(period?: string): Promise<any>
  purchases(query?: string): Promise<Sent>
  sales(query?: string): Promise<Sent>
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
export async function ended(world: World, { key }: Issuer, job_id: string): Promise<any> {
  // Not expect.poll: what a whole file needs is read before its first test.
  return until(`${job_id} to end`, async () => {
    const { body } = await world.get(`/v1/jobs/${job_id}`, { key })
    return (body.status === 'succeeded' || body.status === 'failed') && body
  })
}

export async function openRegister(
  world: World,
  options: { scopes?: readonly Scope[]; reads_year_before?: boolean } = {},
): Promise<Register> {
  const issuer = await openIssuer(world, options)
  if (!options.reads_year_before) await skipYearBefore(world, issuer)
  return {
    ...issuer,
    seed: (body) => issuer.post('/v1/test_helpers/rcv/seed', { period: PERIOD, ...body }),
    async sync(period = PERIOD) {
      const asked = await issuer.post('/v1/tax/sync', { period })
      expect(asked.status).toBe(202)
      return ended(world, issuer, asked.body.id)
    },
    purchases: (query = '') => issuer.get(`/v1/tax/purchases?period=${PERIOD}${query}`),
    sales: (query = '') => issuer.get(`/v1/tax/sales?period=${PERIOD}${query}`),
  }
}

/** A purchase of 1,190 pesos, as the seed takes it. */
export function bought(folio: number, more: object = {}) {
  return {
    tipo_doc: 33,
    folio,
    counterparty_rut: SUPPLIER,
    counterparty_name: 'Ferretería Ñuñoa Ltda.',
    issue_date: `${PERIOD}-10`,
    net: 1000,
    iva: 190,
    ...more,
  }
}

export const sold = (folio: number, more: object = {}) => bought(folio, { counterparty_rut: randomRut(), ...more })
