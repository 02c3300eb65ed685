import { createHash } from 'node:crypto'
import { isTipoDte, printedRut, TIPOS } from '@timbre/dte/values'
import type { ApprovalMaterial } from '../../reactions.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import type { ApprovalAct } from './lanes.ts'
import { isBoleta } from './walk.ts'

/** What a person declares when they decide, as it was shown to them. */
export interface Declaration {
  readonly version: string
  readonly paragraphs: readonly string[]
  readonly sha256: string
}

/** A change of any sentence below is a new version: the evidence names it beside the digest of the whole. */
const VERSION = '2026-11-17'

const namesOf = (tipos: readonly number[]) =>
  tipos.map((tipo) => (isTipoDte(tipo) ? `${TIPOS[tipo].name} (${tipo})` : String(tipo))).join(', ')

/** Chilean Spanish, each sentence true of what is done once it is approved. */
const TEXTS: Readonly<Record<ApprovalAct, (empresa: string, row: EmpresaRow) => readonly string[]>> = {
  postulacion: (empresa, { doc_types }) => [
    `Autorizo a quien opera Timbre a postular a ${empresa} en el SII, para que se certifique como emisor de documentos electrónicos con este sistema.`,
    `Los tipos de documento son: ${namesOf(doc_types.filter((tipo) => !isBoleta(tipo)))}.`,
    'Si hoy la empresa emite en el sistema gratuito del SII, sé que al certificarse deja de emitir facturas en él.',
  ],
  muestras_revision: (empresa) => [
    `Revisé las muestras impresas de los documentos de prueba de ${empresa}: el logo, la dirección, el giro y el timbre.`,
    'Estoy de acuerdo con que se envíen al SII tal como están.',
  ],
  cumplimiento: (empresa, { doc_types }) => [
    `Autorizo a quien opera Timbre a declarar ante el SII, en nombre de ${empresa}, que la empresa cumple los requisitos para emitir documentos tributarios electrónicos.`,
    `Los tipos de documento son: ${namesOf(doc_types.filter((tipo) => !isBoleta(tipo)))}.`,
    'Sé que esta declaración no se puede deshacer.',
  ],
  habilitacion: (empresa, { doc_types }) => [
    `Autorizo a quien opera Timbre a declarar ante el SII, en nombre de ${empresa}, que la empresa emitirá boletas electrónicas con este sistema.`,
    `Los tipos de boleta son: ${namesOf(doc_types.filter(isBoleta))}.`,
  ],
  go_live: (empresa, { doc_types }) => [
    `Apruebo que ${empresa} empiece a emitir documentos con efecto tributario por medio de Timbre.`,
    `Los tipos de documento son: ${namesOf(doc_types)}.`,
    'Desde ese momento cada documento que se emita cuenta ante el SII.',
  ],
}

/** What was prepared for the person, in the declaration itself: files by their digest, the SII's sentences as they are. */
function materialIn({ files, sha256, statements }: ApprovalMaterial): string[] {
  if (files > 0) return [`Son ${files} archivos PDF. Su huella SHA-256, tomada en conjunto, es ${sha256}.`]
  return ['Lo que se declara, en las palabras del SII:', ...statements]
}

/** The declaration of an act for an empresa as it is now, with what was prepared to be approved. */
export function declarationOf(
  act: ApprovalAct,
  row: EmpresaRow,
  material: ApprovalMaterial | null = null,
): Declaration {
  const text = TEXTS[act](`${row.legal_name}, RUT ${printedRut(row.rut)}`, row)
  const paragraphs = material ? [...text, ...materialIn(material)] : text
  const sha256 = createHash('sha256').update(paragraphs.join('\n\n'), 'utf8').digest('hex')
  return { version: `${act}-${VERSION}`, paragraphs, sha256 }
}
