-- What somebody set up or changed that goes on when they are gone, by whom and when, in real time: the newest act of each
-- credential on each thing. Whoever takes an account back is told of it, and a person of what an agent left.
create table lasting_change (
  account_id text collate "C" not null,
  empresa_id text collate "C",
  mode text not null,
  object text not null,
  -- An id, or the RUT of a counterparty, which is one of its empresa alone.
  subject_id text collate "C" not null,
  -- What a person knows it by. Null where that is the name of its empresa.
  label text,
  act text not null check (act in ('created', 'changed', 'deleted')),
  -- The names of what was sent, never a value.
  fields text[] not null,
  written_by text collate "C" not null,
  written_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create unique index lasting_change_one
  on lasting_change (account_id, object, coalesce(empresa_id, ''), subject_id, written_by);
create index lasting_change_of_writer on lasting_change (written_by, written_at);
create index lasting_change_of_empresa on lasting_change (empresa_id);

insert into lasting_change (account_id, empresa_id, mode, object, subject_id, act, fields, written_by, written_at)
select account_id, id, mode, 'empresa', id, 'changed', '{}'::text[], written_by, written_at from empresa
where written_at is not null and written_by is not null and mode <> 'deleted'
union all
select account_id, empresa_id, mode, 'branding', empresa_id, 'changed', '{}'::text[], written_by, written_at from branding
where written_at is not null and written_by is not null
union all
select account_id, empresa_id, mode, 'automation_settings', empresa_id, 'changed', '{}'::text[], written_by, written_at
from automation_settings where written_at is not null and written_by is not null;

insert into lasting_change (account_id, empresa_id, mode, object, subject_id, label, act, fields, written_by, written_at)
select account_id, empresa_id, mode, 'counterparty_contact', id, email, 'changed', '{}'::text[], written_by, written_at
from counterparty_contact where written_at is not null and written_by is not null;

insert into lasting_change (account_id, empresa_id, mode, object, subject_id, act, fields, written_by, written_at)
select account_id, empresa_id, mode, 'certificate', empresa_id, 'created', '{}'::text[], written_by, written_at
from certificate where written_at is not null and written_by is not null
union all
select account_id, empresa_id, mode, 'sfg_credential', empresa_id, 'created', '{}'::text[], written_by, written_at
from sfg_credential where written_at is not null and written_by is not null;

-- Said here from now on.
alter table empresa drop column written_by, drop column written_at;
alter table branding drop column written_by, drop column written_at;
alter table automation_settings drop column written_by, drop column written_at;
alter table counterparty_contact drop column written_by, drop column written_at;
alter table certificate drop column written_by, drop column written_at;
alter table sfg_credential drop column written_by, drop column written_at;
