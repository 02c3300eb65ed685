-- What people did and agreed to on the way of an empresa to emitting: who, when, from where, and which text they were shown.
-- It only grows. The rows of a sandbox empresa go with it; those of a live one stay for the six years in which the SII may
-- ask (Código Tributario, art. 17 and 200), whoever asks for their deletion.
create table evidence (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  step text,
  act text not null,
  actor_rut text,
  actor_name text,
  actor_role text,
  at timestamptz not null,
  ip text,
  user_agent text,
  document_version text,
  document_sha256 text,
  via text not null check (via in ('api', 'hosted_page', 'operator', 'sii')),
  check (num_nulls(actor_rut, actor_name, actor_role) in (0, 3)),
  check (num_nulls(document_version, document_sha256) in (0, 2)),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index evidence_of_empresa on evidence (account_id, empresa_id, id);

create trigger evidence_is_append_only before update on evidence for each row execute function refuse_change();
create trigger evidence_is_kept before delete on evidence for each row
  when (old.mode = 'live' and old.at > now() - interval '6 years') execute function refuse_change();
create trigger evidence_is_not_emptied before truncate on evidence for each statement execute function refuse_change();
