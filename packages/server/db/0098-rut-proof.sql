-- What showed that the RUT of an empresa is its account's to use, beside what the SII confirmed in columns of their own: a
-- certificate of the RUT itself, one of who signed its mandato, or the SII when it was asked. It stays when what showed it is gone.
alter table empresa add column rut_proof text check (rut_proof in ('published', 'signer', 'taxpayer', 'sii'));
alter table empresa add column rut_proven_at timestamptz;
-- When its account was told that it will be archived unless something shows it.
alter table empresa add column rut_warned_at timestamptz;

update empresa e set rut_proof = 'taxpayer', rut_proven_at = c.uploaded_at
from certificate c
where c.account_id = e.account_id and c.empresa_id = e.id and c.mode = e.mode and c.chain = 'accredited' and c.holder_rut = e.rut;

-- Those that are here already are watched too. None is archived before its account was told, and three days later.
insert into job (id, name, account_id, mode, empresa_id, key, pool, lane, parked, payload, due_at, run_at, max_attempts, created_at)
select 'job_' || left(md5(e.id), 26), 'empresa.watch_proof', e.account_id, e.mode, e.id, e.id, 'work',
  'empresa.watch_proof|' || e.account_id, true, '{}', at.due, at.due, 8, now()
from empresa e, lateral (select greatest(e.created_at + interval '11 days', now() + interval '1 hour') as due) at
where e.mode = 'live' and e.status <> 'archived';

-- A RUT that an account asked for and another holds: the page where its taxpayer proves who it is. One address, one use.
create table rut_claim (
  slug_hash bytea primary key,
  account_id text collate "C" not null references account (id),
  mode text not null,
  rut text not null,
  -- The empresa as it was asked for.
  input json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index rut_claim_ended on rut_claim (expires_at);
