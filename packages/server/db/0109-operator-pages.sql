-- People of the operator who signed in to its pages. The hash is keyed with the operator's secret: another secret finds no
-- session. A row outlives its session, for the audit log names it: here is who that was.
create table operator_session (
  id text collate "C" primary key,
  token_hash bytea not null unique,
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- How often a step changed its status: what was shown before is known to be stale by it.
alter table onboarding_step add column moves integer not null default 0;
-- Every certification under way.
create index onboarding_step_under_way on onboarding_step (key) where status in ('in_progress', 'action_required', 'failed');
