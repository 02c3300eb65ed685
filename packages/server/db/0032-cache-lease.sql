-- The processes that serve rows from memory, each for as long as its lease says. Whoever ends a credential waits until
-- every one of them has dropped it (`acknowledged`), or has lost its lease: see kernel/cache-lease.ts. A row changes
-- twice a second and holds no news for anybody, so room is left for it beside itself.
create table cache_lease (
  process_id text primary key,
  expires_at timestamptz not null,
  acknowledged bigint not null
) with (fillfactor = 50);

create sequence cache_barrier;
