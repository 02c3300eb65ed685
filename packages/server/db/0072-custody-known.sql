-- Who vouches for a certificate: a chain to a root that the operator loaded, its own holder, or nobody known here. And who put
-- into custody what signs, and when, in real time: whoever takes an account back is told what somebody else may have put there.
alter table certificate
  add column chain text not null default 'unknown' check (chain in ('accredited', 'self_signed', 'unknown')),
  add column written_by text collate "C",
  add column written_at timestamptz;
alter table sfg_credential add column written_by text collate "C", add column written_at timestamptz;
