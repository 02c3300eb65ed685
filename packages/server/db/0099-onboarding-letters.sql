-- The last letter to the person whom a step of an onboarding waits for: nobody is told the same twice, nor more than once a
-- day about one step.
create table onboarding_letter (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  step text collate "C" not null,
  -- What it told of, to be compared alone.
  news text not null,
  written_at timestamptz not null,
  primary key (empresa_id, step),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
