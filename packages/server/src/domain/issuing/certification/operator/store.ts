import { listed, part, type Sql } from '../../../../kernel/db.ts'
import type { EmpresaScope } from '../../../../kernel/scope.ts'
import { ownedBy } from '../../../../kernel/tenant.ts'
import type { StepKey } from '../../../platform/onboarding/lanes.ts'
import type { CertificationRow, FileRow } from '../file.ts'

/** A step of an empresa, whosever it is: the operator looks at those of all accounts. */
export interface OpenStep {
  readonly account_id: string
  readonly empresa_id: string
  readonly key: StepKey
}

export interface FileFacts
  extends Pick<
    FileRow,
    'id' | 'kind' | 'attempt' | 'file_name' | 'status' | 'track_id' | 'sent_at' | 'words' | 'findings'
  > {
  readonly empresa_id: string
  /** Zero until it is signed. */
  readonly bytes: number
  /** Its folios as `tipo:folio`; none of one that was set aside. */
  readonly folios: readonly string[]
}

const these = (steps: readonly OpenStep[]) => part`
  (select ${listed.text(steps.map(({ account_id }) => account_id))} as account_id,
    ${listed.text(steps.map(({ empresa_id }) => empresa_id))} as empresa_id,
    ${listed.text(steps.map(({ key }) => key))} as step) open`

/** The last attempt at each file of some steps, refused ones included, without the bytes. */
export async function listFileFacts(sql: Sql, steps: readonly OpenStep[]): Promise<FileFacts[]> {
  return sql<FileFacts>`
    select distinct on (f.empresa_id, f.position, f.kind) f.empresa_id, f.id, f.kind, f.attempt, f.file_name, f.status,
      f.track_id, f.sent_at, f.words, f.findings, coalesce(octet_length(f.content), 0) as bytes,
      case when f.superseded_at is null then array(select json_object_keys(f.cafs)) else '{}' end as folios
    from ${these(steps)}
      join certification_file f on f.account_id = open.account_id and f.empresa_id = open.empresa_id and f.step = open.step
    order by f.empresa_id, f.position, f.kind, f.attempt desc`
}

export type Said = Pick<CertificationRow, 'words' | 'said_at' | 'findings'> & { readonly empresa_id: string }

/** What is known of the certifications that some steps are of. */
export async function listSaid(sql: Sql, steps: readonly OpenStep[]): Promise<Said[]> {
  return sql<Said>`
    select c.empresa_id, c.words, c.said_at, c.findings from ${these(steps)}
      join certification c on c.account_id = open.account_id and c.empresa_id = open.empresa_id`
}

/** Sets aside what was made for a step and is not approved. */
export async function supersedeUnapproved(sql: Sql, scope: EmpresaScope, step: StepKey, at: Date): Promise<void> {
  await sql`
    update certification_file set superseded_at = ${at}, changed_at = ${at}
    where ${ownedBy(scope)} and step = ${step} and status <> 'approved' and superseded_at is null`
}
