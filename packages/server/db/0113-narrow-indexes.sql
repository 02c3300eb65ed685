-- An index of a ledger held the account, the mode and what is looked for as text in every entry: three quarters of it. Its key is
-- now eight bytes that follow from them; what it finds is still compared in full, so that two that fall together never mix.
drop index event_by_account;
drop index event_by_type;
drop index event_by_empresa;
create index event_by_account on event (hashtextextended(account_id || mode, 0), position, seq);
create index event_by_type on event (hashtextextended(account_id || mode || type, 0), position, seq);
create index event_by_empresa on event (hashtextextended(account_id || mode || empresa_rut, 0), position, seq)
  where empresa_rut is not null;

-- The id only orders what happened at the same instant: a page sorts those few itself. Without it, entries of a batch share one.
drop index usage_record_by_account;
drop index usage_record_by_empresa;
drop index usage_record_by_kind;
drop index usage_record_by_tipo;
create index usage_record_by_account on usage_record (hashtextextended(account_id || mode, 0), created_at);
create index usage_record_by_empresa on usage_record (hashtextextended(account_id || mode || empresa_rut, 0), created_at);
create index usage_record_by_kind on usage_record (hashtextextended(account_id || mode || kind, 0), created_at);
create index usage_record_by_tipo on usage_record (hashtextextended(account_id || mode || tipo_dte::text, 0), created_at)
  where tipo_dte is not null;

drop index document_newest;
drop index document_by_tipo;
drop index document_by_receptor;
drop index document_by_status;
create index document_newest on document (empresa_id, created_at);
create index document_by_tipo on document (empresa_id, tipo_dte, created_at);
create index document_by_receptor on document (empresa_id, receptor_rut, created_at);
create index document_by_status on document (empresa_id, status, created_at) where status <> 'accepted';

-- A document is written four times on its way. The room that the first three leave is to be filled before a fifth of the table
-- is such room, which is when PostgreSQL would look by itself.
alter table document set (autovacuum_vacuum_scale_factor = 0.05);
