-- Events of documents differ in few words: an event rests as its difference from a text that all of them are like
-- (kernel/delta.ts). Such a text belongs to nobody and is never changed; where documents come to look otherwise, a new one with
-- a higher id serves the events from then on. An event depends on no other row that retention drops.
create table event_base (
  id smallint primary key,
  -- The object of its events, as the catalog names it.
  object text not null,
  bytes bytea not null
);
create trigger event_base_is_append_only before update or delete on event_base
  for each row execute function refuse_change();

-- Either the JSON itself, or its difference from a base.
alter table event
  alter column data drop not null,
  add column packed bytea,
  add column base_id smallint,
  -- Not looked up in the rows that are there: they all have data.
  add constraint event_has_data check ((data is null) = (packed is not null and base_id is not null)) not valid;

insert into event_base (id, object, bytes) values (1, 'document', convert_to(
  $base${"object":{"object":"document","id":"doc_","mode":"test","status":"accepted","tipo_dte":33,"folio":,"issue_date":"20","totals":{"net":,"iva":,"exempt":0,"taxes":0,"deposit":0,"construction_credit":0,"total":},"taxes":[],"receptor":{"rut":"","legal_name":"","giro":"","address":{"street":"","comuna":"","city":""},"email":null,"phone":null,"contact":null,"code":null,"foreign":null,"sources":{"legal_name":"request","giro":"request","address.street":"request","address.comuna":"request","address.city":"request"}},"due_date":"20","paid":false,"paid_at":null,"pending_amount":,"external_id":null,"metadata":{},"pdf_url":"/v1/documents/doc_/pdf","xml_url":"/v1/documents/doc_/xml","sii":{"environment":"certificacion","track_id":"","estado":"DOK","glosa":"Documento Recibido por el SII. Datos Coinciden con los Registrados","explanation":null},"failure":null,"annuls":null,"exchange":{"status":null,"to":null,"reason":null,"sent_at":null},"receptor_response":{"status":null,"basis":null,"answered_at":null,"receipt_acknowledged_at":null,"delivered_at":null,"answers":[]},"cesion":{"cedible":true,"status":null,"id":null,"cesionario":null,"amount":null,"due_date":null,"track_id":null,"estado":null,"glosa":null,"explanation":null,"failure":null,"submitted_at":null,"settled_at":null},"created_at":"20","sent_at":"20","settled_at":"20"},"previous_attributes":{"status":"sent","sii":{"environment":"certificacion","track_id":"","estado":null,"glosa":null,"explanation":null},"settled_at":null}}{"mode":"live","status":"queued","tipo_dte":39,"folio":null,"rut":"66666666-6","legal_name":null,"giro":null,"address":{"street":null,"comuna":null,"city":null}"sources":{}"environment":"produccion","track_id":null,"estado":null,"glosa":null,"explanation":null},"cedible":false,"sent_at":null,"settled_at":null}}"previous_attributes":{"status":"queued","folio":null,"sii":{"environment":"certificacion","track_id":null,"estado":null,"glosa":null,"explanation":null},"sent_at":null}}$base$, 'UTF8'));
