import { chmodSync, copyFileSync, linkSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { chmod, lstat, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Copies a tree so that every user can read it, whatever the umask. Built beside its place and renamed into it, so that
 * a copy cut short is never used. False when the place cannot be written.
 */
export async function copyReadable(from: string, to: string): Promise<boolean> {
  const draft = `${to}.${process.pid}.draft`
  try {
    if (await exists(to)) return true
    copyTree(from, draft)
    await rename(draft, to)
    return true
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined)
    return exists(to) // another process may have finished the same copy first
  }
}

/**
 * Makes a folder for programs that everyone may read and only we may fill: programs found in any other could have been
 * put there by a stranger. False when it cannot be had.
 */
export async function openCache(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true })
    const found = await lstat(folder)
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false
    await chmod(folder, 0o755)
    return true
  } catch {
    return false
  }
}

// Synchronous: a thousand small files take a third of the time, and nothing else runs yet.
function copyTree(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyTree(source, target)
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      const { mode } = statSync(source)
      if ((mode & 0o444) === 0o444 && linked(source, target)) continue
      copyFileSync(source, target)
      chmodSync(target, mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

// A second name for the same file costs nothing. It is refused across file systems, and would share too strict a mode.
function linked(source: string, target: string): boolean {
  try {
    linkSync(source, target)
    return true
  } catch {
    return false
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
