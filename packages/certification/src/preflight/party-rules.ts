import { ANONYMOUS_RUT } from '@timbre/dte/values'
import type { Facts, PlannedCase } from './facts.ts'
import { type Complaint, FORMAT, MANUAL, ofCase, type Rule } from './rule.ts'

/** Who issues and receives, and what goes with it: transfers and withholding. */
export const PARTY_RULES: readonly Rule[] = [
  {
    id: 'receptores_distinct',
    sentence:
      'The documents of a set go to distinct RUT, none of them the emisor; a note goes to that of its original.',
    source: MANUAL,
    check: receptoresDistinct,
  },
  {
    id: 'one_emisor',
    sentence: 'Every document and book of a plan is of the same emisor.',
    source: 'RCT: an envelope holds documents of its RutEmisor alone',
    check: ({ documents, plan }) => [
      ...documents
        .filter(({ dte }) => dte.emisor.rut !== plan.emisor_rut)
        .map((document) => ofCase(document, `It is issued by ${document.dte.emisor.rut}, not by ${plan.emisor_rut}.`)),
    ],
  },
  {
    id: 'transfer_as_asked',
    sentence:
      'A guía has IndTraslado and TipoDespacho by its motive and who carries; between warehouses, emisor at both ends.',
    source: `${FORMAT}, IndTraslado; advice of the SII in the set of guías`,
    check: ({ documents }) => documents.flatMap(transferAsAsked),
  },
  {
    id: 'withholding_in_full',
    sentence: 'A factura de compra, and every note about one, withholds all of its IVA with code 15.',
    source: `${FORMAT}, section 4; set of factura de compra`,
    check: ({ documents }) => documents.flatMap(withheldInFull),
  },
]

function receptoresDistinct({ documents }: Facts): readonly Complaint[] {
  const seen = new Map<string, string>()
  return documents.flatMap((document) => {
    const { step, dte, original, asked, planned } = document
    const { rut } = dte.receptor
    if (original !== undefined)
      return rut === original.dte.receptor.rut
        ? []
        : [ofCase(document, `It goes to ${rut}, its original to another RUT.`)]
    const anonymous = step.section === 'boletas' && rut === ANONYMOUS_RUT
    if (anonymous || asked?.transfer?.transfer_type === 5) return []
    if (rut === dte.emisor.rut) return [ofCase(document, 'Its receptor is the emisor.')]
    const key = `${step.section} ${step.attention} ${rut}`
    const other = seen.get(key)
    seen.set(key, planned.case_id)
    return other === undefined ? [] : [ofCase(document, `Its receptor ${rut} is that of case ${other}.`)]
  })
}

function transferAsAsked(document: PlannedCase): readonly Complaint[] {
  const { asked, dte } = document
  if (asked?.transfer === undefined) return []
  const { transfer_type } = asked.transfer
  const complaints: string[] = []
  if (dte.dispatch?.transfer_type !== transfer_type)
    complaints.push(`IndTraslado is ${dte.dispatch?.transfer_type ?? 'absent'}, not ${transfer_type}.`)
  if (dte.dispatch?.dispatch_type !== asked.dispatch?.dispatch_type)
    complaints.push(
      `TipoDespacho is ${dte.dispatch?.dispatch_type ?? 'absent'}, not ${asked.dispatch?.dispatch_type ?? 'absent'}.`,
    )
  if (transfer_type === 5 && dte.receptor.rut !== dte.emisor.rut)
    complaints.push('Goods that move between warehouses have the emisor at both ends.')
  return complaints.map((message) => ofCase(document, message))
}

const FULL_WITHHOLDING = 15

function withheldInFull(document: PlannedCase): readonly Complaint[] {
  const { dte, original, step } = document
  const of_compra = [dte, original?.dte, original?.original?.dte].some((one) => one?.tipo_dte === 46)
  if (step.section !== 'compra' && !of_compra) return []
  const withheld = (dte.totals.taxes ?? []).filter(({ code }) => code === FULL_WITHHOLDING)
  const amount = withheld.reduce((sum, tax) => sum + tax.amount, 0)
  return amount === (dte.totals.iva ?? 0)
    ? []
    : [ofCase(document, `It withholds ${amount} of ${dte.totals.iva ?? 0} of IVA.`)]
}
