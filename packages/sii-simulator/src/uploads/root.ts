import { withXml } from '../soap/xml.ts'
import type { UploadKind } from '../state/types.ts'

const KINDS: readonly UploadKind[] = ['EnvioDTE', 'EnvioBOLETA', 'ConsumoFolios', 'LibroCompraVenta', 'LibroGuia']

export type Root = { ok: true; kind: UploadKind } | { ok: false; status: 3 | 7; errors: string[] }

/**
 * What the door itself looks at: that the file is whole, and that its root is one the SII has a schema of. The rest
 * of the schema is judged later (RSC). The words are those of the Oracle parser that speaks in the samples.
 */
export function readRoot(file: Uint8Array): Root {
  const read = withXml(file, (root) => ({ name: root.name, version: root.attr('version')?.content ?? null }))
  if (!read) {
    return isCutShort(file)
      ? { ok: false, status: 3, errors: [] }
      : { ok: false, status: 7, errors: ['LPX-00210: expected well-formed XML'] }
  }
  const kind = KINDS.find((name) => name === read.name)
  if (!kind) return { ok: false, status: 7, errors: [`LSX-00021: undefined element "${read.name}"`] }
  if (read.version !== '1.0') {
    const error =
      read.version === null
        ? 'LSX-00201: missing required attribute "version"'
        : `LSX-00265: attribute "version" value "${read.version}" is wrong (must be "1.0")`
    return { ok: false, status: 7, errors: [error] }
  }
  return { ok: true, kind }
}

/** The root opens and its end does not come. */
function isCutShort(file: Uint8Array): boolean {
  const text = Buffer.from(file).toString('latin1').trimEnd()
  const root = /^(?:<\?[^>]*\?>|<!--[\s\S]*?-->|\s)*<([\w:.-]+)/.exec(text)?.[1]
  return root !== undefined && !text.endsWith(`</${root}>`)
}
