import { defineOperation } from '../../operation.ts'
import { lookUpContribuyente } from './lookup.ts'
import { Contribuyente, ContribuyentePath } from './schema.ts'

export const contribuyenteOperations = [
  defineOperation({
    id: 'contribuyentes.get',
    method: 'GET',
    path: '/contribuyentes/{rut}',
    summary: 'Look up a contribuyente',
    description:
      'What the published nómina of the SII says of a legal entity, with a giro that fits a document. Natural persons ' +
      'are not published and answer 404, like unknown RUTs.',
    reach: 'account',
    scope: 'empresas:read',
    params: ContribuyentePath,
    returns: Contribuyente,
    errors: ['contribuyente_not_found', 'contribuyentes_unavailable'],
    limit: 'contribuyentes',
    run: lookUpContribuyente,
  }),
]
