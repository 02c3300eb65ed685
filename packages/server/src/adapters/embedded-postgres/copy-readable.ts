import { chmod, copyFile, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Copies a tree so that every user can read it, whatever the umask. Built beside its place and renamed into it, so that
 * a copy cut short is never used. False when the place cannot be written or the check of its parent says no.
 */
export async function copyReadable(
  from: string,
  to: string,
  trusted: ((folder: string) => Promise<boolean>) | null,
): Promise<boolean> {
  const draft = `${to}.${process.pid}.draft`
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o755 })
    if (trusted && !(await trusted(dirname(to)))) return false
    if (await exists(to)) return true
    await copyTree(from, draft)
    await rename(draft, to)
    return true
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined)
    return exists(to) // another process may have finished the same copy first
  }
}

/** A folder that only we can fill: programs found in any other could have been put there by a stranger. */
export async function isOnlyOurs(folder: string): Promise<boolean> {
  const { uid, mode } = await lstat(folder)
  return uid === process.getuid?.() && (mode & 0o170022) === 0o040000
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target)
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
