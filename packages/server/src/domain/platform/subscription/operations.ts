import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../empresa/schema.ts'
import { readSubscription } from './read.ts'
import { recordSubscription } from './record.ts'
import { RecordSubscription, Subscription } from './schema.ts'

const SUBSCRIPTION = '/empresas/{empresa_id}/subscription'

export const subscriptionOperations = [
  defineOperation({
    id: 'subscription.get',
    method: 'GET',
    path: SUBSCRIPTION,
    summary: 'Read the subscription of an empresa',
    description:
      'Without an active one, issuing a document, a credit note, a mail to a receptor, a folio request and going live ' +
      'answer `402 subscription_required`; a lapsed one keeps emitting for 7 days. Nothing else is ever blocked.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: Subscription,
    run: readSubscription,
  }),
  defineOperation({
    id: 'subscription.record',
    method: 'POST',
    path: SUBSCRIPTION,
    summary: 'Record the subscription of an empresa',
    description: 'For the operator alone, who knows what was paid.',
    reach: 'operator',
    params: EmpresaPath,
    body: RecordSubscription,
    returns: Subscription,
    errors: ['empresa_inactive'],
    audited: true,
    run: recordSubscription,
  }),
]
