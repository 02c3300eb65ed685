import { CEILINGS } from '../../../catalog/limits.ts'
import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../empresa/schema.ts'
import { removeCertificate } from './purge.ts'
import { readCertificate } from './read.ts'
import { Certificate, UploadCertificate } from './schema.ts'
import { openUpload, uploadCertificate } from './upload.ts'

const path = '/empresas/{empresa_id}/certificate'
const writes = {
  path,
  reach: 'empresa',
  scope: 'empresas:write',
  params: EmpresaPath,
  audited: true,
} as const
const REHEARSAL = 'In test mode it is a rehearsal: everything works, and nothing depends on it.'

export const certificateOperations = [
  defineOperation({
    id: 'certificate.get',
    method: 'GET',
    path,
    summary: 'Read what is known of the certificate of an empresa',
    description: 'Metadata alone: neither the key nor the password of a certificate can be read, by anybody.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: Certificate,
    errors: ['certificate_not_found'],
    run: readCertificate,
  }),
  defineOperation({
    ...writes,
    id: 'certificate.upload',
    method: 'POST',
    summary: 'Upload or reuse the certificate that signs for an empresa',
    description:
      'Send `file` and `password`, as JSON or as multipart/form-data, or `reuse` alone: the certificate of a person may ' +
      'serve several empresas of the account. It takes the place of the one that was there. The key is kept sealed and ' +
      'opened in memory to sign; the file and its password are not kept. It must be RSA of 2,048 to 4,096 bits, valid ' +
      `today, issued to sign, with the RUT of its holder. ${REHEARSAL}`,
    body: UploadCertificate,
    body_bytes: CEILINGS.certificate_body_bytes,
    takes_form: true,
    returns: Certificate,
    status: 201,
    errors: [
      'certificate_not_found',
      'certificate_not_reusable',
      'invalid_certificate',
      'certificate_password_wrong',
      'certificate_expired',
      'certificate_not_yet_valid',
    ],
    mcp: { not: 'A private key is handed over by the person it belongs to, never by an agent.' },
    prepare: openUpload,
    leaves: { object: 'certificate' },
    run: uploadCertificate,
  }),
  defineOperation({
    ...writes,
    id: 'certificate.delete',
    method: 'DELETE',
    summary: 'Purge the certificate of an empresa from custody',
    description:
      'The key is deleted, not marked, and a live empresa emits no more (`capabilities.blocked_by: certificate`) until ' +
      `there is another. Empresas that reuse the certificate keep theirs. ${REHEARSAL}`,
    allows_inactive: true,
    returns: null,
    errors: ['certificate_not_found'],
    mcp: { not: 'What stands in custody is put there, and taken away, by a person.' },
    leaves: { object: 'certificate' },
    run: removeCertificate,
  }),
]
