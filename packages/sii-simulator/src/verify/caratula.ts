import { isRut, SII_RUT } from '@timbre/dte/wire'
import { differs, finding } from './findings.ts'
import type { Finding, VerifyView } from './verdict.ts'
import { children, number, text, type XmlNode } from './xml/node.ts'

/** Who files, for whom, under which resolution: what envelopes and books have alike. */
export function checkFiler(caratula: XmlNode, emisor: string, view: VerifyView): Finding[] {
  const sender = text(caratula, 'RutEnvia') as string
  for (const rut of [emisor, sender]) if (!isRut(rut)) return [finding('CRT-3-905', `[${rut}]`)]
  if (sender !== view.sender_rut) return [finding('CRT-3-11', differs(sender, view.sender_rut))]
  if (emisor !== view.company_rut) return [finding('CRT-3-900', differs(emisor, view.company_rut))]
  const taxpayer = view.taxpayer(emisor)
  if (taxpayer === null) return [finding('CRT-3-903', `[${emisor}]`)]
  const given = { number: number(caratula, 'NroResol') as number, date: text(caratula, 'FchResol') as string }
  // In certificación the number is 0 and the date is the company's own (DTE rules, envelope).
  const numbered = view.ambiente === 'certificacion' ? 0 : (taxpayer.resolution?.number ?? given.number)
  const dated = taxpayer.resolution?.date ?? given.date
  if (given.number !== numbered || given.date !== dated)
    return [finding('CRT-3-19', differs(`${given.date} ${given.number}`, `${dated} ${numbered}`))]
  return []
}

/** The carátula of an envelope of documents, with those that it holds. */
export function checkCaratula(caratula: XmlNode, tipos: readonly number[], view: VerifyView): Finding[] {
  const refused = checkFiler(caratula, text(caratula, 'RutEmisor') as string, view)
  if (refused.length > 0) return refused
  const receptor = text(caratula, 'RutReceptor') as string
  if (receptor !== SII_RUT) return [finding('CRT-3-901', differs(receptor, SII_RUT))]
  const signed_on = (text(caratula, 'TmstFirmaEnv') as string).slice(0, 10)
  if (signed_on > view.today) return [finding('CRT-3-904', `[${signed_on}] > [${view.today}]`)]
  return checkCounts(caratula, tipos)
}

function checkCounts(caratula: XmlNode, tipos: readonly number[]): Finding[] {
  const held = new Map<number, number>()
  for (const tipo of tipos) held.set(tipo, (held.get(tipo) ?? 0) + 1)
  for (const line of children(caratula, 'SubTotDTE')) {
    const [tipo, told] = [number(line, 'TpoDTE') as number, number(line, 'NroDTE') as number]
    const count = held.get(tipo) ?? 0
    if (told !== count) return [finding('CRT-3-902', `Tipo [${tipo}] ${differs(told, count)}`)]
    held.delete(tipo)
  }
  const [untold] = held.keys()
  return untold === undefined ? [] : [finding('CRT-3-902', `Tipo [${untold}] no informado`)]
}
