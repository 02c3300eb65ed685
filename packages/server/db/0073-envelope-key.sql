-- An envelope is asked about by a key of ours. What the SII calls it is another thing: it may never have said, and a
-- file that it lost is sent again and called otherwise.
alter table document
  add column envelope_key text collate "C",
  -- Under which it was sent before, where the SII lost it.
  add column former_track_ids text[];

update document set envelope_key = track_id where status = 'sent' and track_id is not null;
update document set track_id = null where track_id like 'untold-%';
update document set cesion = (cesion::jsonb || '{"track_id": null}')::json where cesion->>'track_id' like 'untold-%';

update sii_upload set id = track_id where track_id is not null;
update sii_upload set track_id = coalesce(resent_track_id, case when track_id like 'untold-%' then null else track_id end);
alter table sii_upload
  drop column resent_track_id,
  -- When its bytes left last.
  add column sent_at timestamptz,
  -- Sends that no longer count against it: somebody asked for more.
  add column forgiven integer not null default 0;
update sii_upload set sent_at = created_at;
alter table sii_upload alter column sent_at set not null;

update job set payload = json_build_object('envelope_key', payload->>'track_id')
where name = 'document.follow' and payload->>'track_id' is not null;

drop index document_by_track;
create index document_by_envelope on document (empresa_id, envelope_key) where status = 'sent';
-- For the result e-mails of the SII, which name nothing else where they refuse a whole envelope.
create index document_by_track on document (empresa_id, track_id) where track_id is not null;
create index document_by_former_track on document using gin (former_track_ids) where former_track_ids is not null;
-- What waits for a person. There is next to nothing of it.
create index document_lost_by_sii on document (empresa_id) where status = 'sent' and failure is not null;
