// An empresa inserted as creation leaves it.

import { systemNow } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/id.ts'
import { randomRut, type World } from './world.ts'

/** A sandbox empresa as creation leaves it, for tests of what hangs below one. */
export async function emptyEmpresa(world: World, account_id: string): Promise<{ id: string; rut: string }> {
  const id = newId('empresa')
  const rut = randomRut()
  await world.db.sql`
    insert into empresa (account_id, id, mode, rut, legal_name, emission_channel, doc_types, origen, emitting_since,
      created_at)
    values (${account_id}, ${id}, 'test', ${rut}, 'Prueba SpA', 'mercado', ${[33]}, 'ninguno', now(),
      ${new Date(systemNow())})`
  return { id, rut }
}
