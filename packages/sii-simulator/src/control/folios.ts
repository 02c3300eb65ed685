import { authoriseRange, nextFolio } from '../caf/register.ts'
import { allCesiones } from '../cesion/register.ts'
import { json } from '../door.ts'
import { oneOf, optionalNumber, requiredRut } from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

const AMBIENTES = ['certificacion', 'produccion'] as const

/** A range of folios without the pages of the portal and without rationing, for a first try. */
export const FOLIO_ROUTES: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/control/cafs',
    async handle(ctx, { input }) {
      const ambiente = oneOf(input, 'ambiente', AMBIENTES)
      const tipo = optionalNumber(input, 'tipo')
      const quantity = optionalNumber(input, 'quantity') ?? 100
      if (tipo === null || !Number.isInteger(tipo) || tipo < 1)
        throw new ControlRefusal('tipo must be a number, as 33.')
      if (!Number.isInteger(quantity) || quantity < 1 || quantity > 1_000_000)
        throw new ControlRefusal('quantity must be a number from 1 to 1000000.')
      const series = { ambiente, emisor: requiredRut(input, 'rut'), tipo }
      const from = nextFolio(ctx, series)
      const caf = await authoriseRange(ctx, series, { from, to: from + quantity - 1 }, 'control')
      return { type: 'application/xml', status: 201, body: Buffer.from(caf.xml, 'latin1') }
    },
  },
  { method: 'GET', path: '/control/cesiones', handle: (ctx) => json({ data: allCesiones(ctx) }) },
]
