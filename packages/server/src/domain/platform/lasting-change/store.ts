import { LASTING_OBJECTS, type LastingAct, type LastingObject } from '../../../catalog/lasting.ts'
import type { Mode } from '../../../catalog/modes.ts'
import { part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type Distrust, isChangedInDistrust, NAMED } from '../../distrust.ts'
import { joinEmpresa, joinNameOfEmpresa } from '../empresa/sql.ts'

export interface LastingChangeRow {
  readonly account_id: string
  readonly empresa_id: string | null
  readonly mode: Mode
  readonly object: LastingObject
  readonly subject_id: string
  readonly label: string | null
  readonly act: LastingAct
  readonly fields: readonly string[]
  readonly written_by: string
  readonly written_at: Date
}

/** Of one credential and one thing the newest act is kept: a thing it made stays made by it, until it deletes it. */
export async function upsertChange(sql: Sql, row: LastingChangeRow): Promise<void> {
  await sql`
    insert into lasting_change as c (account_id, empresa_id, mode, object, subject_id, label, act, fields, written_by,
      written_at)
    values (${row.account_id}, ${row.empresa_id}, ${row.mode}, ${row.object}, ${row.subject_id}, ${row.label}, ${row.act},
      ${row.fields}, ${row.written_by}, ${row.written_at})
    on conflict (account_id, object, coalesce(empresa_id, ''), subject_id, written_by) do update set
      label = coalesce(excluded.label, c.label),
      act = case when c.act = 'created' and excluded.act = 'changed' then c.act else excluded.act end,
      fields = array(select distinct unnest(c.fields || excluded.fields) order by 1),
      written_at = excluded.written_at`
}

const DELETED_AT_ONCE = 1_000

/** Deletes what was written before an instant, a batch at a time. */
export async function deleteOldChanges(sql: Sql, before: Date): Promise<void> {
  for (let more = true; more; ) {
    const gone = await sql`
      delete from lasting_change where ctid = any(array(
        select ctid from lasting_change where written_at < ${before} limit ${DELETED_AT_ONCE}))
      returning 1`
    more = gone.length === DELETED_AT_ONCE
  }
}

export interface DistrustedChange extends Pick<LastingChangeRow, 'empresa_id' | 'mode' | 'object' | 'act'> {
  readonly id: string
  /** As its owner knows it. */
  readonly name: string
  /** How many there are of its kind. */
  readonly total: number
}

const isInDistrust = (distrust: Distrust) => isChangedInDistrust(part`c.written_at`, part`c.written_by`, distrust)

/** What was changed in distrust: the newest of each kind, each thing once, with how many there are. */
export async function listDistrusted(sql: Sql, account_id: string, distrust: Distrust): Promise<DistrustedChange[]> {
  return sql<DistrustedChange>`
    select object, subject_id as id, empresa_id, mode, act, total, name from (
      select one.*, coalesce(one.label || ' · ' || e.legal_name, one.label, e.legal_name, one.subject_id) as name,
        count(*) over (partition by object) as total,
        row_number() over (partition by object order by written_at desc, subject_id) as place
      from (
        select distinct on (c.object, c.empresa_id, c.subject_id) c.* from lasting_change c
        where c.account_id = ${account_id} and ${isInDistrust(distrust)}
        order by c.object, c.empresa_id, c.subject_id, c.written_at desc
      ) one ${joinNameOfEmpresa('one')}
      where one.empresa_id is null or e.legal_name is not null
    ) ranked where place <= ${NAMED}
    order by array_position(${[...LASTING_OBJECTS]}::text[], object), place`
}

/** Something of an empresa that stands as it was left in distrust. */
export interface Standing extends EmpresaScope {
  readonly id: string
  readonly name: string
  /** Whether it was made in distrust, and not only changed. */
  readonly made: boolean
}

/** The things of one kind that stand as somebody left them in distrust: nobody wrote them since. */
export async function listStanding(
  sql: Sql,
  account_id: string,
  object: LastingObject,
  distrust: Distrust,
): Promise<Standing[]> {
  return sql<Standing>`
    select s.account_id, s.empresa_id, s.mode, e.rut, s.subject_id as id, s.made,
      coalesce(s.label || ' · ' || e.legal_name, e.legal_name) as name
    from (
      select c.account_id, c.object, c.empresa_id, c.mode, c.subject_id, bool_or(c.act = 'created') as made,
        max(c.written_at) as written_at, max(c.label) as label, (array_agg(c.act order by c.written_at desc))[1] as act
      from lasting_change c
      where c.account_id = ${account_id} and c.object = ${object} and ${isInDistrust(distrust)}
      group by c.account_id, c.object, c.empresa_id, c.mode, c.subject_id
    ) s ${joinEmpresa('s')}
    where s.act <> 'deleted' and not exists (
      select 1 from lasting_change later
      where later.account_id = s.account_id and later.object = s.object and later.empresa_id = s.empresa_id
        and later.subject_id = s.subject_id and later.written_at > s.written_at)
    order by e.id, s.subject_id`
}
