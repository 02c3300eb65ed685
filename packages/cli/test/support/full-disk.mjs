// Loaded into a process before its program: from the WRITES_LEFT-th write on, the disk is full.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

let left = Number(process.env.WRITES_LEFT)
const { writeFileSync } = fs
fs.writeFileSync = (file, ...rest) => {
  if (String(file).endsWith('.new') && left-- <= 0) {
    throw Object.assign(new Error(`ENOSPC: no space left on device, write '${file}'`), { code: 'ENOSPC' })
  }
  return writeFileSync(file, ...rest)
}
syncBuiltinESMExports()
