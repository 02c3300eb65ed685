import { readCaf, readUnissuedCaf, santiagoDate } from '@timbre/dte'
import { DOCUMENTS } from '@timbre/dte/values'
import type { Context } from '../command.ts'
import { saidOfCaf } from '../offline/copy.ts'
import { pairs } from '../output.ts'
import { readNamedFile } from '../read-file.ts'

/** Nothing of the private key is shown: the file is a secret, its facts are not. */
export async function run(ctx: Context): Promise<void> {
  const { args, out, endsWith } = ctx
  const [file = ''] = args
  const bytes = await readNamedFile(ctx, file)
  const ours = readCaf(bytes)
  const read = !ours.ok && ours.refusal.rule === 'unknown_tipo' ? readUnissuedCaf(bytes) : ours
  if (!read.ok) {
    endsWith('invalid')
    const { rule, path } = read.refusal
    out.result(
      { file, valid: false, rule, path, says: saidOfCaf(rule) },
      `${saidOfCaf(rule)}${path ? ` [${path}]` : ''}`,
    )
    return
  }
  const { key: _key, xml: _xml, canonical: _canonical, ...facts } = read.value
  const expired = facts.expires_on !== null && facts.expires_on < santiagoDate(new Date())
  if (expired) endsWith('invalid')
  const names: Readonly<Record<number, { readonly name: string } | undefined>> = DOCUMENTS
  out.result({ file, valid: !expired, ...facts, count: facts.last_folio - facts.first_folio + 1, expired }, () =>
    pairs([
      ['Empresa', `${facts.emisor_name}, RUT ${facts.emisor_rut}`],
      ['Tipo', `${names[facts.tipo_dte]?.name ?? ''} (${facts.tipo_dte})`],
      ['Folios', `${facts.first_folio} a ${facts.last_folio} (${facts.last_folio - facts.first_folio + 1})`],
      ['Autorizado', facts.authorised_on],
      [
        'Vence',
        facts.expires_on === null ? 'no vence' : `${facts.expires_on}${expired ? ': VENCIDO, pide folios nuevos' : ''}`,
      ],
      ['Ambiente', facts.key_id === 300 ? 'producción' : 'certificación'],
      ['Firma', 'el SII lo firmó, y la llave privada es la que autoriza'],
    ]),
  )
}
