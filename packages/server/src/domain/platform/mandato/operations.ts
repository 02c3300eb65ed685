import type { EmpresaContext } from '../../context.ts'
import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../empresa/schema.ts'
import { mandatoOf } from './lookup.ts'
import { removeMandato } from './revoke.ts'
import { Mandato, MandatoTerms, RecordMandato, TermsQuery } from './schema.ts'
import { recordMandato } from './sign.ts'
import { readTerms } from './terms.ts'

const path = '/empresas/{empresa_id}/mandato'
const REHEARSAL = 'In test mode it is a rehearsal: everything works, and nothing depends on it.'
/** Two steps would not do: the consent of whoever let the agent in is not that of the taxpayer. */
const mcp = { not: 'It binds a taxpayer, whose representative signs and revokes in person: no agent does it for them.' }

export const mandatoOperations = [
  defineOperation({
    id: 'mandato_terms.get',
    method: 'GET',
    path: '/mandato_terms',
    summary: 'Read the text of the mandato',
    description: 'The text that is signed today, or that of an older `version`. Needs no credential.',
    reach: 'public',
    query: TermsQuery,
    returns: MandatoTerms,
    errors: ['mandato_terms_not_found'],
    run: readTerms,
  }),
  defineOperation({
    id: 'mandato.get',
    method: 'GET',
    path,
    summary: 'Read the mandato of an empresa',
    description: 'Who authorised the service to act for the empresa at the SII, and whether it still stands.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: Mandato,
    run: (ctx: EmpresaContext) => mandatoOf(ctx.sql, ctx.empresa),
  }),
  defineOperation({
    id: 'mandato.record',
    method: 'POST',
    path,
    summary: 'Record a mandato that was signed elsewhere, or sign a revoked one again',
    description:
      'Say which text was signed and by whom, both, once they signed it before you: it proves nothing about the RUT, and its ' +
      'evidence says `via: api`. After a revocation an empty body signs the same text again by the same person, and the ' +
      'empresa goes on where it stood, unless the text changed since: then somebody has to read the new one. Recording the ' +
      `same again changes nothing. ${REHEARSAL}`,
    reach: 'empresa',
    scope: 'mandato:attest',
    params: EmpresaPath,
    body: RecordMandato,
    returns: Mandato,
    status: 201,
    allows_inactive: true,
    errors: ['empresa_inactive', 'mandato_not_revoked', 'mandato_terms_outdated'],
    mcp,
    leaves: { object: 'mandato' },
    audited: true,
    run: recordMandato,
  }),
  defineOperation({
    id: 'mandato.revoke',
    method: 'DELETE',
    path,
    summary: 'Revoke the mandato of an empresa',
    description:
      'At once nothing more is done for the empresa at the SII: a live one is suspended, its calls answer `403 ' +
      'empresa_inactive`, and what is queued and was not sent fails. What stands in custody stays there unused, until it is ' +
      `deleted or the mandato is signed again. Revoking twice changes nothing. ${REHEARSAL}`,
    reach: 'empresa',
    scope: 'mandato:write',
    params: EmpresaPath,
    returns: null,
    allows_inactive: true,
    errors: ['mandato_not_found'],
    mcp,
    leaves: { object: 'mandato' },
    audited: true,
    run: removeMandato,
  }),
]
