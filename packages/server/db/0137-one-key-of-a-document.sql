-- A document was kept in two indexes by its id: alone, and behind its account and its empresa for the foreign keys that carry
-- them, at three times the bytes. One that begins with the id serves both: whoever looks by id finds it, and a foreign key may name the
-- columns in any order. Nor can a plan that is made while the table is empty walk a whole account any more.
alter table cesion drop constraint cesion_account_id_empresa_id_document_id_fkey;
alter table document_envelope drop constraint document_envelope_account_id_empresa_id_document_id_fkey;
alter table public_link drop constraint public_link_account_id_empresa_id_document_id_fkey;
alter table sandbox_script drop constraint sandbox_script_account_id_empresa_id_document_id_fkey;
alter table sandbox_try drop constraint sandbox_try_account_id_empresa_id_document_id_fkey;

alter table document drop constraint document_account_id_empresa_id_id_key;
alter table document drop constraint document_pkey;
alter table document add constraint document_pkey primary key (id, account_id, empresa_id);

alter table cesion add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
alter table document_envelope add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
alter table public_link add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
alter table sandbox_script add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
alter table sandbox_try add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
