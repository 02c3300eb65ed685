import { chown, lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Who PostgreSQL runs as. Null: as ourselves. */
export type Identity = { uid: number; gid: number } | null

const NOBODY = 65534

/**
 * PostgreSQL refuses to run as root. Started by root it runs as whoever owns the cluster already (a folder that an
 * ordinary user made stays usable by that user), else as nobody.
 */
export async function chooseIdentity(cluster: string): Promise<Identity> {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(cluster).catch(() => null)
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : { uid: NOBODY, gid: NOBODY }
}

/** Hands a folder over, with all that is in it when root owns it (a copy restored by root, for example). */
export async function chownFolder(folder: string, identity: Identity): Promise<void> {
  if (!identity || (await stat(folder)).uid === identity.uid) return
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), identity.uid, identity.gid)
  }
  await chown(folder, identity.uid, identity.gid) // last: a hand-over cut short is seen and done again
}

/** Whether the identity may enter a folder, judged by the modes of all folders on the way. */
export async function canEnter(folder: string, identity: Identity): Promise<boolean> {
  if (!identity) return true
  const { mode, uid, gid } = await stat(folder)
  const needed = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001
  if (!(mode & needed)) return false
  return dirname(folder) === folder || canEnter(dirname(folder), identity)
}
