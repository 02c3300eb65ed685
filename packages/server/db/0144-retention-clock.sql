-- The instant that retention goes by, which follows the clock at a limited pace (kernel/retention-clock.ts).
create table retention_clock (
  single boolean primary key default true check (single),
  at timestamptz not null
);
insert into retention_clock (at) values (now());
