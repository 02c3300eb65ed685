-- The document of ours that a nota corrects, whatever its code; `annuls_id` is set beside it when it annuls the whole.
-- What was credited of a document is the sum over its notas that are in force.
alter table document add column corrects_id text collate "C";
create index document_corrections on document (corrects_id) where corrects_id is not null;

-- A document is annulled once: of two notas at the same moment one is refused, whichever door they came by. One that
-- the SII rejects, or that could not be processed, makes way for another.
create unique index document_annulled_once on document (annuls_id)
  where annuls_id is not null and status in ('queued', 'sent', 'accepted', 'reparo');
