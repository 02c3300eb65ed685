// A cartola that was uploaded, imported and looked through: what a test of taking it back starts from.

import { reviewed } from './bank-movements.ts'
import { plainCartola } from './cartola-file.ts'
import type { Issuer } from './issuer.ts'
import { ended } from './rcv-register.ts'
import type { World } from './world.ts'

/** Three movements, from which come two expenses and one suggestion. */
export const ROWS = ['03/11/2025;PAGO LUZ;45.000;', '04/11/2025;ABONO CLIENTE;;5.950', '04/11/2025;GOOGLE *ADS;50.000;']

/** The id of the statement, once its movements are there and reviewed. */
export async function uploadCartola(world: World, own: Issuer, rows: readonly string[]): Promise<string> {
  const asked = await own.post('/v1/tax/statements', { file: plainCartola(...rows).toString('base64') })
  const { result } = await ended(world, own, asked.body.id)
  await reviewed(world, own)
  return result.statement_id
}

/** What `GET /tax/{path}` lists. */
export const listTax = async (own: Issuer, path: string) => (await own.get(`/v1/tax/${path}?limit=100`)).body.data
