import type { UploadKind } from '../state/types.ts'
import { XmlFault } from '../verify/xml/fault.ts'
import { attribute } from '../verify/xml/node.ts'
import { type ParsedXml, parseXml } from '../verify/xml/parse.ts'

const KINDS: readonly UploadKind[] = ['EnvioDTE', 'EnvioBOLETA', 'ConsumoFolios', 'LibroCompraVenta', 'LibroGuia']

export type Root = { ok: true; kind: UploadKind } | { ok: false; status: 3 | 7; errors: string[] }

/**
 * What the door itself looks at: that the file is whole, and that its root is one the SII has a schema of. The rest
 * of the schema is judged later (RSC). The words are those of the Oracle parser that speaks in the samples.
 */
export function readRoot(file: Uint8Array): Root {
  const xml = parsed(file)
  if (xml instanceof XmlFault)
    return xml.ended ? { ok: false, status: 3, errors: [] } : { ok: false, status: 7, errors: [xml.message] }
  const { root } = xml
  const kind = KINDS.find((name) => name === root.name)
  if (!kind) return { ok: false, status: 7, errors: [`LSX-00021: undefined element "${root.name.slice(0, 100)}"`] }
  const version = attribute(root, 'version')
  if (version !== '1.0') {
    const error =
      version === null
        ? 'LSX-00201: missing required attribute "version"'
        : `LSX-00265: attribute "version" value "${version.slice(0, 100)}" is wrong (must be "1.0")`
    return { ok: false, status: 7, errors: [error] }
  }
  return { ok: true, kind }
}

function parsed(file: Uint8Array): ParsedXml | XmlFault {
  try {
    return parseXml(file)
  } catch (failure) {
    if (failure instanceof XmlFault) return failure
    throw failure
  }
}
