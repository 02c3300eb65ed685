import { readSet, type Section, SetError } from '@timbre/certification'
import { DOCUMENTS } from '@timbre/dte/values'
import type { Context } from '../command.ts'
import { CliError } from '../exit.ts'
import { type Output, plain } from '../output.ts'
import { readNamedFile } from '../read-file.ts'

const WHY = {
  empty: 'El archivo está vacío.',
  too_large: 'El archivo es demasiado grande para ser un set de pruebas.',
  not_text: 'El archivo no es texto: usa el .txt que entrega el SII.',
  too_many_lines: 'El archivo tiene demasiadas líneas para ser un set de pruebas.',
} as const

export async function run(ctx: Context): Promise<void> {
  const { args, out, endsWith } = ctx
  const [file = ''] = args
  const set = readOrRefuse(await readNamedFile(ctx, file))
  const misread = set.sections.some(({ not_understood, kind }) => not_understood.length > 0 || kind === 'unknown')
  if (misread || set.sections.length === 0) endsWith('invalid')
  const text = () =>
    set.sections.length === 0
      ? 'El archivo no tiene ninguna sección de un set de pruebas.'
      : set.sections.map((section) => shown(out, section)).join('\n\n')
  out.result({ file, ...set }, text)
}

function readOrRefuse(bytes: Uint8Array) {
  try {
    return readSet(bytes)
  } catch (error) {
    if (error instanceof SetError) throw new CliError('invalid', WHY[error.rule])
    throw error
  }
}

function shown(out: Output, section: Section): string {
  const { title, kind, attention, cases, purchases, guia_marks, not_understood } = section
  const names: Readonly<Record<number, { readonly name: string } | undefined>> = DOCUMENTS
  return [
    out.paint('bold', `${plain(title) || kind}${attention ? ` (atención ${attention})` : ''}`),
    ...cases.map(({ id, tipo_dte, items, reference }) => {
      const over = reference ? `, sobre el caso ${reference.case_id}: ${reference.reason}` : ''
      return `  ${plain(`caso ${id}: ${names[tipo_dte]?.name ?? tipo_dte}, ${items.length} ítems${over}`)}`
    }),
    ...purchases.map(
      ({ tipo_doc, folio, taxed, exempt, observation }) =>
        `  ${plain(`compra ${tipo_doc} N° ${folio}: afecto ${taxed}, exento ${exempt}; ${observation}`)}`,
    ),
    ...guia_marks.map(
      ({ case_number, mark }) => `  guía del caso ${case_number}: ${mark === 'annulled' ? 'anulada' : 'facturada'}`,
    ),
    ...not_understood.map(({ line, text }) =>
      out.paint('yellow', `  ${plain(`línea ${line} no se entiende: ${text}`)}`),
    ),
  ].join('\n')
}
