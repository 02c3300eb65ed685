import { authoriseRange, newRangeKeys, nextFolio } from '../caf/register.ts'
import { allCesiones } from '../cesion/register.ts'
import { json } from '../door.ts'
import { LAST_FOLIO, STAMPED } from '../tipos.ts'
import { oneOf, optional, readInput, rut, whole } from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

const ORDER = {
  rut,
  tipo: oneOf(STAMPED),
  ambiente: oneOf(['certificacion', 'produccion']),
  quantity: optional(whole(1, 1_000_000)),
}

/** A range of folios without the pages of the portal and without rationing, for a first try. */
export const FOLIO_ROUTES: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/control/cafs',
    async handle(ctx, { input }) {
      const { rut: emisor, tipo, ambiente, quantity } = readInput(input, ORDER)
      const series = { ambiente, emisor, tipo }
      const keys = await newRangeKeys(ctx)
      const from = nextFolio(ctx, series)
      const to = from + (quantity ?? 100) - 1
      if (to > LAST_FOLIO) throw new ControlRefusal(`quantity: folios end at ${LAST_FOLIO}, and the next is ${from}.`)
      const caf = authoriseRange(ctx, series, { from, to }, 'control', keys)
      return { type: 'application/xml', status: 201, body: Buffer.from(caf.xml, 'latin1') }
    },
  },
  { method: 'GET', path: '/control/cesiones', handle: (ctx) => json({ data: allCesiones(ctx) }) },
]
