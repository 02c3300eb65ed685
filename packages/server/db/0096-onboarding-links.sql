-- Hosted pages of the onboarding, by the digest of their slug: the slug itself is told once and kept nowhere. A link that was
-- used, revoked or has expired stays until the next one of its page is revoked, so that whoever opens it again is told so.
create table onboarding_link (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  -- The key of a step, or `mandato_revocation`.
  page text collate "C" not null,
  slug_hash bytea not null unique,
  -- `api`: a credential asked for it. `letter`: we mailed it. Neither ends the other.
  road text not null check (road in ('api', 'letter')),
  -- The credential that asked; empty where none did.
  made_by text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index onboarding_link_of_page on onboarding_link (account_id, empresa_id, page);
