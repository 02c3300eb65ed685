import type { Receptor } from '@timbre/dte'
import { EMISOR } from '../../../dte/test/support/samples.ts'
import type { PlanInputs } from '../../src/index.ts'

const RUTS = ['77123456-9', '78901234-2', '76192083-9', '97004000-5', '76086428-5']

export const RECEPTORES: readonly Receptor[] = RUTS.map((rut, index) => ({
  rut,
  legal_name: `Cliente ${index + 1} Ltda.`,
  giro: 'Comercio',
  address: { street: `Calle Larga ${index + 1}`, comuna: 'Maipú' },
}))

const range = (first: number) => Array.from({ length: 30 }, (_, index) => first + index)

/** Everything that any set asks of the taxpayer. */
export const INPUTS: PlanInputs = {
  emisor: EMISOR,
  receptores: RECEPTORES,
  folios: {
    33: range(101),
    34: range(201),
    39: range(301),
    41: range(401),
    46: range(501),
    52: range(601),
    56: range(701),
    61: range(801),
  },
  issue_date: '2026-10-05',
  resolucion_date: '2026-09-01',
}
