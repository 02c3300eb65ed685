import { Type } from 'typebox'
import { listOf, listQuery, OneOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { changesEmpresa, createsEmpresa, deletesEmpresa } from './agent-copy.ts'
import { createEmpresa } from './create.ts'
import { deleteEmpresa } from './delete.ts'
import { listOwnEmpresas, readEmpresa } from './read.ts'
import {
  CreateEmpresa,
  EMPRESA_STATUSES,
  Empresa,
  EmpresaPath,
  UpdateEmpresa,
  UpdateEmpresaBySession,
} from './schema.ts'
import { updateEmpresa } from './update.ts'

export const empresaOperations = [
  defineOperation({
    id: 'empresas.list',
    method: 'GET',
    path: '/empresas',
    summary: 'List empresas',
    description: 'Every empresa the key reaches, in its mode, newest first.',
    reach: 'account',
    scope: 'empresas:read',
    query: listQuery({ status: Type.Optional(OneOf(EMPRESA_STATUSES)) }),
    returns: listOf(Empresa),
    errors: ['invalid_cursor'],
    run: listOwnEmpresas,
  }),
  defineOperation({
    id: 'empresas.create',
    method: 'POST',
    path: '/empresas',
    summary: 'Create an empresa',
    description:
      'A sandbox empresa can emit at once. A live one starts its onboarding at the mandato. A RUT is one empresa per ' +
      'mode. A live one needs a confirmed e-mail. An account holds at most 5 live ones whose RUT nothing has proven yet, and ' +
      'one that nothing proves within 14 days is archived. Where another account has a live RUT, `details.takeover_url` of ' +
      'the refusal is a page on which its taxpayer takes it over.' +
      ' Declaring a resolución skips nothing until the operator verifies it with the SII.',
    reach: 'account',
    scope: 'empresas:write',
    body: CreateEmpresa,
    returns: Empresa,
    status: 201,
    errors: [
      'empresa_exists',
      'empresa_not_allowed',
      'email_verification_required',
      'tipo_not_available_for_channel',
      'account_limit_reached',
      'unproven_empresa_limit_reached',
    ],
    mcp: { irreversible: createsEmpresa },
    leaves: { object: 'empresa' },
    audited: true,
    run: createEmpresa,
  }),
  defineOperation({
    id: 'empresas.get',
    method: 'GET',
    path: '/empresas/{empresa_id}',
    summary: 'Read an empresa',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: Empresa,
    run: readEmpresa,
  }),
  defineOperation({
    id: 'empresas.update',
    method: 'PATCH',
    path: '/empresas/{empresa_id}',
    summary: 'Update or archive an empresa',
    description:
      'A field that is not sent stays as it was; null clears one that may be empty. Adding a tipo reopens ' +
      'certification for it. `status: archived` cannot be undone; the RUT of a live one of which the SII took nothing is ' +
      'held for the account for 30 days. A session changes only `doc_types` and ' +
      '`certification_track`.',
    reach: 'empresa',
    scope: 'empresas:write',
    params: EmpresaPath,
    body: UpdateEmpresa,
    dashboard: { body: UpdateEmpresaBySession },
    returns: Empresa,
    errors: ['field_not_writable', 'tipo_not_available_for_channel'],
    mcp: { irreversible: changesEmpresa },
    leaves: { object: 'empresa' },
    audited: true,
    run: updateEmpresa,
  }),
  defineOperation({
    id: 'empresas.delete',
    method: 'DELETE',
    path: '/empresas/{empresa_id}',
    summary: 'Delete a sandbox empresa',
    description: 'Everything under it goes with it; its events stay in the ledger. Live empresas are archived instead.',
    reach: 'empresa',
    scope: 'empresas:write',
    params: EmpresaPath,
    allows_inactive: true,
    deletes_empresa: true,
    returns: null,
    errors: ['empresa_delete_not_allowed'],
    mcp: { irreversible: deletesEmpresa },
    audited: true,
    run: deleteEmpresa,
  }),
]
