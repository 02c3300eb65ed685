-- How the SII answers us, service by service, in steps of five minutes. It belongs to no account.
create table sii_weather (
  service text collate "C" not null,
  ambiente text collate "C" not null,
  step_at timestamptz not null,
  calls integer not null,
  -- It did not answer, or not what it answers otherwise. A refusal of ours is an answer.
  failures integer not null,
  ms_total bigint not null,
  -- How many took as long as each of the bounds of the code, and how many took longer.
  durations integer[] not null,
  primary key (service, ambiente, step_at)
);
create index sii_weather_by_step on sii_weather (step_at);

-- What was said in a call, without secrets, for the operator: of those that failed, and now and then of one that did not.
create table sii_call (
  id text collate "C" primary key,
  at timestamptz not null,
  service text collate "C" not null,
  operation text not null,
  ambiente text not null,
  outcome text not null,
  ms integer not null,
  estado text,
  detail text,
  trace json not null
);
create index sii_call_by_time on sii_call (at);
