-- Documents that are issued on the free portal of the SII and have no verdict yet. What the SII signed is kept before it
-- is sent: whoever finds it here asks for its folio before anything is issued again.
create table sii_portal_order (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" primary key,
  -- How often something was signed for it. Whoever signs takes the next number, or sends nothing.
  signatures integer not null default 0,
  folio bigint,
  xml bytea,
  signed_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- When the SII refused the password of the certificate that it keeps for the empresa's person; null once another is stored.
alter table empresa add column sfg_refused_at timestamptz;
