-- What the receptor of a document answered: by mail (Formato de Mensaje de Respuesta 1.0; Recibos, Ley 19.983), or in
-- the register of acceptance and claims of the SII. A list of answers; where the document stands follows from it.
alter table document add column receptor_response json;

-- The signed file of an answer that moved a document, as it came: it may be what proves that goods were received.
create table exchange_answer (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  kind text not null,
  -- Who sent the mail, as the sender itself said; who answers, as the signed file says.
  sender text,
  file_name text not null,
  responde_rut text collate "C" not null,
  -- Whether a CA that is known here vouches for the signer, and who that is.
  signature text not null,
  signer_rut text collate "C",
  xml bytea not null,
  received_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index exchange_answer_of_empresa on exchange_answer (account_id, empresa_id, id);
