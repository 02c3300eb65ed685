import type { Caller, SiiClient } from '@timbre/sii'
import { ESTADOS_CONTABLES, SUMMARIZED_TIPOS } from '../../catalog/rcv.ts'
import { SiiRefused } from '../../ports/sii.ts'
import type { RcvFile, RcvOrder, RcvQuestion, RcvSummary, SiiRcv } from '../../ports/sii-rcv.ts'
import { callerFor, type Identities } from './identity.ts'
import { asUnreachable, isRefusal, reaching } from './unreachable.ts'

interface RcvParts extends Identities {
  readonly client: SiiClient
  readonly ambiente: Caller['ambiente']
}

/**
 * The registers of purchases and sales over the facade of their own web application. The token of the DTE channel opens
 * it, so that no session of the portal is spent, and one person may ask for every company that they represent.
 */
export function liveRcv(parts: RcvParts): SiiRcv {
  const { client, ambiente } = parts
  const askerOf = async ({ empresa, period }: RcvQuestion) => {
    const caller = await callerFor(parts, empresa, ambiente)
    const user = { kind: 'token', identity: caller.identity } as const
    return { caller, asker: { user, ambiente, rut: empresa.rut, period } }
  }
  return {
    async readRcv(question) {
      const { asker } = await askerOf(question)
      const files: RcvFile[] = []
      for (const estado_contable of ESTADOS_CONTABLES) {
        const book = { side: 'purchase', estado: estado_contable } as const
        const file = await reaching(() => client.rcv.export(asker, book))
        files.push({ side: 'purchase', estado_contable, file })
      }
      const file = await reaching(() => client.rcv.export(asker, { side: 'sale' }))
      files.push({ side: 'sale', estado_contable: null, file })
      const totals = await reaching(() => client.rcv.totals(asker, { side: 'sale' }))
      const bought = await reaching(() => client.rcv.totals(asker, { side: 'purchase', estado: 'REGISTRO' }))
      const summaries = [
        ...totals.map((one) => ({ side: 'sale' as const, ...one })),
        ...bought.map((one) => ({ side: 'purchase' as const, ...one })),
      ].filter(({ tipo }) => SUMMARIZED_TIPOS.includes(tipo))
      return { files, summaries: summaries.map(({ tipo, ...one }): RcvSummary => ({ ...one, tipo_doc: tipo })) }
    },
    async characterize({ tipo_compra, ...order }) {
      const { asker } = await askerOf(order)
      try {
        await client.rcv.changePurchaseType({ ...asker, ...entryOf(order), tipo_compra })
      } catch (error) {
        if (isRefusal(error)) throw new SiiRefused(error.message)
        asUnreachable(error)
      }
    },
    async moveEstado({ estado_contable, ...order }) {
      // Receiving the goods brings a purchase into the register. No source shows how one is put off again (unverified).
      if (estado_contable !== 'REGISTRO') {
        throw new SiiRefused(`the SII is known to offer no way to move a purchase to ${estado_contable}`)
      }
      const { caller } = await askerOf(order)
      const document = { emisor_rut: order.counterparty_rut, tipo_dte: order.tipo_doc, folio: order.folio }
      const { registered, glosa } = await reaching(() => client.claims.register(caller, document, 'ERM'))
      if (!registered) throw new SiiRefused(`the SII did not acknowledge the purchase: ${glosa}`)
    },
  }
}

const entryOf = ({ tipo_doc, folio, counterparty_rut }: RcvOrder) => ({ tipo: tipo_doc, folio, counterparty_rut })
