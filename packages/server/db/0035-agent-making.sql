-- What an agent made, or took over by pointing it elsewhere, that goes on without it. A row is the newest such act: what a
-- person takes over is theirs, and has none. No foreign key to the things themselves: they are of many tables, and the
-- list is a record of what was made, also of what is gone.
create table agent_making (
  subject_id text collate "C" primary key,
  grant_id text collate "C" not null references agent_grant on delete cascade,
  kind text not null,
  label text not null,
  created_at timestamptz not null
);
create index agent_making_of_grant on agent_making (grant_id, created_at);
