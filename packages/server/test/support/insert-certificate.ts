// A certificate in custody, inserted without a .pfx: for tests of what hangs on there being one.

import { localVault } from '../../src/adapters/vault/local.ts'
import { sealCertificate } from '../../src/domain/platform/certificate/keep.ts'
import { newId } from '../../src/kernel/id.ts'
import { oneKey } from '../../src/kernel/vault.ts'
import { MASTER_KEY } from './master-key.ts'
import type { World } from './world.ts'

/** Its key is empty, so it can be shown, reused and purged, and signs nothing. */
export async function insertCertificate(
  world: Pick<World, 'db'>,
  empresa_id: string,
  id = newId('certificate'),
): Promise<string> {
  const vault = localVault(oneKey(MASTER_KEY).keys)
  const sealed = sealCertificate(vault, { empresa_id }, id, { key: Buffer.alloc(0), certificates: [] })
  await world.db.sql`
    insert into certificate (account_id, empresa_id, mode, id, fingerprint_sha256, holder_rut, holder_name, issuer, serial,
      not_before, not_after, sealed, uploaded_at)
    select account_id, id, mode, ${id}, 'x', '11111111-1', 'Persona', 'CA', '01', '2020-01-01', '2099-01-01', ${sealed}, now()
    from empresa where id = ${empresa_id}`
  await world.db.sql`update empresa set certificate_until = '2099-01-01' where id = ${empresa_id}`
  return id
}
