-- A session of the SII's portal for each person, shared by every process: the SII counts them and locks a person out who
-- has too many.
create table sii_session (
  key text collate "C" primary key,
  -- Cookies, under the vault.
  sealed bytea,
  session_id text,
  used_at timestamptz,
  -- The SII would open no more: nobody asks before.
  capped_until timestamptz,
  capped_glosa text,
  -- Who is using it alone, and until when that is believed.
  leased_by text,
  leased_until timestamptz
);
