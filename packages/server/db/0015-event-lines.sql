-- Events of the account itself are few among those of its empresas: a credential of one empresa reads both.
create index event_of_account_itself on event (account_id, mode, position, seq) where empresa_rut is null;
