import { CAF_IDK } from '../authority/authority.ts'
import { settleCertifications } from '../certification/settle.ts'
import { settleAecs } from '../cesion/register.ts'
import { santiago } from '../clock.ts'
import type { Simulator } from '../simulator.ts'
import { documentKey } from '../state/state.ts'
import type { DocumentVerdict, Fate, Upload, UploadVerdict } from '../state/types.ts'
import { learnTaxpayer, may, standingOf, taxpayerOf } from '../taxpayers.ts'
import { finding } from '../verify/findings.ts'
import type { Verdict, Verifier, VerifyView } from '../verify/verdict.ts'
import { hasBook, recordBook, recordDocuments } from './record.ts'
import { queueResultMail } from './result-mail.ts'
import { GLOSAS } from './stage.ts'

const settling = new WeakMap<Simulator, Promise<void>>()

/**
 * Gives everything whose hour has come its verdict. Nothing ticks: whoever asks about the state asks this first, and so
 * the state is a function of the clock. One after the other: were they all to take a file each in the same turn of the
 * loop, nobody would be answered in between.
 */
export function settle(ctx: Simulator): Promise<void> {
  const settled = (settling.get(ctx) ?? Promise.resolve()).then(() => settleAll(ctx))
  settling.set(
    ctx,
    settled.catch(() => undefined),
  )
  return settled
}

async function settleAll(ctx: Simulator): Promise<void> {
  await settleUploads(ctx)
  await settleAecs(ctx)
  await settleCertifications(ctx)
}

/** In the order of their hours. */
async function settleUploads(ctx: Simulator): Promise<void> {
  if (!nextDue(ctx)) return
  const verifier = await ctx.verifier()
  for (let due = nextDue(ctx); due; due = nextDue(ctx)) {
    settleOne(ctx, verifier, due.pending, due.key)
    // Somebody else may have waited for a file of thousands of documents.
    await new Promise(setImmediate)
  }
}

function nextDue({ state, clock }: Simulator): { pending: string; key: string } | null {
  for (const [pending, key] of state.pending.entries('', { limit: 1 })) {
    if (Number(pending.slice(0, 15)) <= clock.now()) return { pending, key }
  }
  return null
}

function settleOne(ctx: Simulator, verifier: Verifier, pending: string, key: string): void {
  const { state } = ctx
  const upload = state.uploads.get(key)
  const file = state.files.get(key)
  if (!upload || !file) {
    state.pending.remove(pending)
    return
  }
  const { fate } = upload
  const early = fate.vof ? 'VOF' : fate.repeated ? 'RPT' : null
  const judged = early ? null : judge(verifier, file, viewOf(ctx, upload))
  state.atomically(() => {
    state.pending.remove(pending)
    const verdict = judged ? applied(judged, fate) : refusedWhole(early ?? 'VOF')
    const settled = { ...upload, verdict }
    state.uploads.put(key, settled)
    if (fate.vof) state.files.remove(key)
    if (judged) {
      if (judged.estado === 'EPR' && judged.resolution) {
        learnTaxpayer(ctx, upload.company_rut, { ambiente: upload.ambiente, resolution: judged.resolution })
      }
      recordDocuments(ctx, settled, judged)
      recordBook(ctx, settled, judged)
    }
    queueResultMail(ctx, settled)
  })
}

/**
 * A file over which the verifier itself fails is refused as one of a wrong schema, and says why: left in the queue, it
 * would fail every request that comes after it.
 */
function judge(verifier: Verifier, file: Uint8Array, view: VerifyView): Verdict {
  try {
    return verifier.verify(file, view)
  } catch (failure) {
    console.error(failure)
    const findings = [finding('ENV-3-0', `El simulador no supo leer el archivo: ${failure}`)]
    return { kind: null, estado: 'RSC', findings, emisor: null, resolution: null, documents: [] }
  }
}

/** What the SII knows when it looks at a file: as of the hour it came, however late the verdict is. */
function viewOf(ctx: Simulator, upload: Upload): VerifyView {
  const { state } = ctx
  const { ambiente } = upload
  return {
    sender_rut: upload.sender_rut,
    company_rut: upload.company_rut,
    ambiente,
    channel: upload.channel,
    today: santiago(upload.received_at).date,
    idk: String(CAF_IDK[upload.ambiente]),
    taxpayer(rut) {
      const taxpayer = taxpayerOf(ctx, rut)
      const standing = taxpayer && standingOf(taxpayer, ambiente)
      if (!taxpayer || !standing?.authorised) return null
      const { actecos, resolutions } = taxpayer
      const { tipos } = standing
      return { rut, tipos, actecos: actecos.length > 0 ? actecos : null, resolution: resolutions[ambiente] }
    },
    document: (emisor, tipo, folio) => state.documents.get(documentKey(ambiente, emisor, tipo, folio)) ?? null,
    mayFile: (sender, company) => may(ctx, sender, 'enviar', company),
    maySign: (signer, company) => may(ctx, signer, 'firmar', company),
    hasGiven({ emisor, tipo, first, last }) {
      const caf = state.cafs.get(documentKey(ambiente, emisor, tipo, first))
      return caf !== undefined && caf.hasta === last
    },
    hasBook: (book) => hasBook(ctx, ambiente, book),
    isAnnulled: (emisor, tipo, folio) =>
      state.annulled_folios.get(documentKey(ambiente, emisor, tipo, folio)) !== undefined,
  }
}

function refusedWhole(estado: string): UploadVerdict {
  return { estado, glosa: GLOSAS[estado] ?? estado, findings: [], documents: [], counters: [] }
}

/** How a good book, and a good summary of folios, end where a script wants them refused. */
const REFUSED_WHOLE: Readonly<Record<string, string>> = { LOK: 'LRH', EPR: 'RCH' }

/** The verdict as it is kept, after what scripts want of documents that passed. */
function applied(judged: Verdict, fate: Fate): UploadVerdict {
  const documents = judged.documents.map(({ tipo, folio, emisor, receptor, fecha, monto, outcome, findings }) => {
    const verdict: DocumentVerdict = { tipo, folio, emisor, receptor, fecha, monto, outcome, findings: [...findings] }
    for (const scripted of outcome === 'rejected' ? [] : (fate.findings ?? [])) {
      if (scripted.folio !== null && scripted.folio !== folio) continue
      if (verdict.outcome !== 'rejected') verdict.outcome = scripted.outcome
      verdict.findings.push(scripted.finding)
    }
    return verdict
  })
  // A file without documents is refused as a whole.
  const whole = documents.length === 0 ? (fate.findings ?? []).filter(({ outcome }) => outcome === 'rejected') : []
  const estado = whole.length === 0 ? judged.estado : (REFUSED_WHOLE[judged.estado] ?? judged.estado)
  return {
    estado,
    glosa: GLOSAS[estado] ?? estado,
    findings: [...judged.findings, ...whole.map(({ finding }) => finding)],
    documents,
    counters: countersOf(documents),
  }
}

function countersOf(documents: readonly DocumentVerdict[]): UploadVerdict['counters'] {
  const tipos = [...new Set(documents.map(({ tipo }) => tipo))].sort((a, b) => a - b)
  return tipos.map((tipo) => {
    const count = (outcome: DocumentVerdict['outcome']) =>
      documents.filter((document) => document.tipo === tipo && document.outcome === outcome).length
    const [aceptados, rechazados, reparos] = [count('accepted'), count('rejected'), count('reparo')]
    return { tipo, informados: aceptados + rechazados + reparos, aceptados, rechazados, reparos }
  })
}
