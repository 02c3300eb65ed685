import { sign } from 'node:crypto'
import type { Caf } from '../packages/dte/src/caf/caf.ts'
import { emitDteSync } from '../packages/dte/src/document/emit.ts'
import type { TipoDte } from '../packages/dte/src/document/tipos.ts'
import { completeDraft } from '../packages/dte/src/document/totals.ts'
import type { Signer } from '../packages/dte/src/signature/sign.ts'
import { makeCaf, makeIdentity } from '../packages/dte/test/support/keys.ts'
import { draft, item } from '../packages/dte/test/support/samples.ts'

const LAST_FOLIO = 9_999_999
const times = { tmst_ted: '2026-10-05T12:00:00', tmst_firma: '2026-10-05T12:00:00' }
const items = ['Resma de papel', 'Lápiz & goma', 'Cuaderno', 'Archivador', 'Corchetera'].map((description, index) =>
  item({ description, quantity: index + 1, unit_price: 990 }),
)

/** A document of five lines built, stamped and signed, and the two RSA signatures that nobody can avoid. */
export interface Subject {
  readonly signer: Signer
  emit(folio: number): string
  bare(): void
}

const cafs = new Map<TipoDte, Caf>()

/** Keys are made once and shared with the worker threads, so that every side of a ratio uses the same. */
export function makeSubject(tipo_dte: TipoDte, bits: number): Subject {
  const { signer } = makeIdentity({ bits })
  const caf = cafs.get(tipo_dte) ?? makeCaf({ tipo_dte, last: LAST_FOLIO })
  cafs.set(tipo_dte, caf)
  const dte = completeDraft(draft(tipo_dte, { items }), 1)
  const [dd, signed_info] = [Buffer.alloc(900, 'x'), Buffer.alloc(600, 'x')]
  return {
    signer,
    emit(folio) {
      const emitted = emitDteSync({ dte: { ...dte, folio }, caf, signer, ...times })
      if (!emitted.ok) throw new Error(emitted.refusal.message)
      return emitted.value.xml
    },
    bare() {
      sign('RSA-SHA1', dd, caf.key)
      sign('RSA-SHA1', signed_info, signer.key)
    },
  }
}
