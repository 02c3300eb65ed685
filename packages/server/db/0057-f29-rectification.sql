-- How often what a proposal is made of changed, and how often when it was last computed: where they differ it is stale.
alter table f29_proposal add column changes integer not null default 0;
alter table f29_proposal add column computed_changes integer not null default 0;

-- A declaration that corrects another one names it. A period has one original, and each declaration is corrected once, by the
-- next; only what failed makes room.
alter table f29_filing add column rectifies text collate "C";
drop index f29_filing_living;
create unique index f29_filing_original on f29_filing (empresa_id, period) where status <> 'failed' and rectifies is null;
create unique index f29_filing_rectified_once on f29_filing (empresa_id, rectifies)
  where status <> 'failed' and rectifies is not null;
