// A document as if it had been made in another year.

import { idFloor } from '../../src/kernel/id.ts'
import { makePartitions } from '../../src/kernel/partition.ts'
import type { World } from './world.ts'

/** Gives a document an id of that year, and with it a place among the documents of that year. */
export async function ageDocument(world: World, id: string, year: number): Promise<string> {
  const at = new Date(Date.UTC(year, 5, 1))
  await makePartitions(world.db, at)
  const aged = idFloor('document', at).slice(0, -16) + id.slice(-16)
  await world.db.transact(async (_sql, client) => {
    await client.query('create temp table aged on commit drop as select * from document where false')
    await client.query(
      'insert into aged select (jsonb_populate_record(d, jsonb_build_object($2::text, $3::text))).* from document d where id = $1',
      [id, 'id', aged],
    )
    await client.query('delete from document where id = $1', [id])
    await client.query('insert into document select * from aged')
  })
  return aged
}
