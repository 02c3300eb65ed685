import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Grey, readPbm, readPgm } from './decode.ts'

export function hasPoppler(): boolean {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The pages as a printer or a screen draws them: greys, or black dots only, as a thermal head does. */
export function rasterize(pdf: Uint8Array, dpi: number, ink: 'gray' | 'mono' = 'gray'): Grey[] {
  const folder = mkdtempSync(join(tmpdir(), 'dte-pdf-'))
  try {
    const source = join(folder, 'page.pdf')
    writeFileSync(source, pdf)
    execFileSync('pdftoppm', ['-r', String(dpi), `-${ink}`, source, join(folder, 'page')])
    const pages = readdirSync(folder).filter((name) => /\.p[bg]m$/.test(name))
    return pages.sort().map((name) => (ink === 'gray' ? readPgm : readPbm)(readFileSync(join(folder, name))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
