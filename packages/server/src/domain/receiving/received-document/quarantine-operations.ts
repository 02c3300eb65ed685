import { artifact, listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { discardsQuarantined, releasesQuarantined } from './agent-copy.ts'
import {
  discardQuarantined,
  inspectAgain,
  listQuarantined,
  readQuarantined,
  readQuarantinedBytes,
  releaseQuarantined,
} from './quarantine.ts'
import { QuarantinedFile, QuarantinedFilePath, QuarantineQuery } from './quarantine-schema.ts'

const ALL = '/received_documents/quarantine'
const ONE = `${ALL}/{quarantined_file_id}`
const reads = { method: 'GET', reach: 'empresa', scope: 'documents:read' } as const
const settles = {
  method: 'POST',
  reach: 'empresa',
  scope: 'documents:write',
  params: QuarantinedFilePath,
  returns: QuarantinedFile,
  audited: true,
} as const

export const quarantineOperations = [
  defineOperation({
    ...reads,
    id: 'received_documents.quarantine.list',
    path: ALL,
    summary: 'List the files that were set aside',
    description: 'What came and was not taken, with the reason, newest first.',
    query: QuarantineQuery,
    returns: listOf(QuarantinedFile),
    errors: ['invalid_cursor'],
    run: listQuarantined,
  }),
  defineOperation({
    ...reads,
    id: 'received_documents.quarantine.get',
    path: ONE,
    summary: 'Read a file that was set aside',
    params: QuarantinedFilePath,
    returns: QuarantinedFile,
    errors: ['quarantined_file_not_found'],
    run: readQuarantined,
  }),
  defineOperation({
    ...reads,
    id: 'received_documents.quarantine.file',
    path: `${ONE}/file`,
    summary: 'Download a file that was set aside',
    description: 'As it came. A stranger wrote it: do not open it as anything but text.',
    params: QuarantinedFilePath,
    returns: artifact('application/octet-stream'),
    limit: 'artifacts',
    errors: ['quarantined_file_not_found', 'quarantined_bytes_gone'],
    run: readQuarantinedBytes,
  }),
  defineOperation({
    ...settles,
    id: 'received_documents.quarantine.release',
    path: `${ONE}/release`,
    summary: 'Release a file from quarantine',
    description:
      'Reads it again and takes its documents. What is in order by now is taken as such; what has a false signature or ' +
      'timbre, a certificate that was not valid, or amounts that do not follow from its lines is taken as `unproven`, ' +
      'with its reasons and `released_from_quarantine`. Documents of another company stay set aside.',
    errors: [
      'quarantined_file_not_found',
      'quarantined_file_settled',
      'quarantined_bytes_gone',
      'quarantined_file_not_releasable',
    ],
    mcp: { irreversible: releasesQuarantined },
    prepare: inspectAgain,
    run: releaseQuarantined,
  }),
  defineOperation({
    ...settles,
    id: 'received_documents.quarantine.discard',
    path: `${ONE}/discard`,
    summary: 'Discard a file in quarantine',
    description: 'Forgets its bytes at once and keeps that it came. Discarding twice is once.',
    errors: ['quarantined_file_not_found', 'quarantined_file_settled'],
    mcp: { irreversible: discardsQuarantined },
    lasting: true,
    run: discardQuarantined,
  }),
]
