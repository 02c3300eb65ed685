-- The onboarding is its steps. That an empresa emits is a fact with an instant; which status the onboarding is in follows
-- from both and is stored nowhere.
alter table empresa
  add column emitting_since timestamptz,
  -- Tipos that the SII is known to let the taxpayer issue with software of its own.
  add column certified_tipos integer[] not null default '{}';
update empresa set emitting_since = coalesce(resolucion_verified_at, created_at), certified_tipos = doc_types
where onboarding_status = 'emitting';
update empresa set certified_tipos = doc_types where resolucion_status = 'verified';
alter table empresa drop column onboarding_status;

create table onboarding_step (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  key text collate "C" not null,
  status text not null default 'pending',
  -- What it certifies, of a step of the certification.
  tipos integer[] not null default '{}',
  opened_at timestamptz,
  closed_at timestamptz,
  -- The decision of whom the step asks, as it was last taken.
  approval json,
  approved_at timestamptz,
  -- What somebody stated of an act that nothing can show.
  attestation json,
  blocked_reason json,
  -- The next look at the SII, and how many found nothing new.
  next_poll_at timestamptz,
  looks integer not null default 0,
  rechecked_at timestamptz,
  -- The person of the operator who has it in hand.
  taken_by text,
  taken_at timestamptz,
  unique (empresa_id, key),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
-- The work list of the operator.
create index onboarding_step_open on onboarding_step (opened_at) where status in ('in_progress', 'failed');

-- Who executes a step, where the operator turned its switch.
create table onboarding_switch (
  step text collate "C" primary key,
  execution text not null,
  changed_at timestamptz not null
);

-- Live empresas that are on their way have signed nothing: their steps begin at the mandato.
insert into onboarding_step (account_id, empresa_id, mode, id, key, status, opened_at)
select account_id, id, mode, 'obs_' || substr(id, 5) || '_mandato', 'mandato', 'action_required', created_at
from empresa where mode = 'live' and status <> 'archived' and emitting_since is null;
