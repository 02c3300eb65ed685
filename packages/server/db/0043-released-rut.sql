-- An empresa that nothing ever proved keeps its RUT from its owner only while it lives: archived, or of a closed account, it
-- stays for the record and others may create the RUT.
alter table empresa add column rut_released boolean not null default false;
update empresa e set rut_released = true
where e.mode = 'live' and e.onboarding_status <> 'emitting' and e.resolucion_status is distinct from 'verified'
  and e.boleta_emission_enabled_at is null
  and (e.status = 'archived' or exists (select 1 from account a where a.id = e.account_id and a.closed_at is not null));

alter table empresa drop constraint empresa_mode_rut_key;
create unique index empresa_rut on empresa (mode, rut) where not rut_released;
drop index empresa_alias;
create unique index empresa_alias on empresa (reception_email) where reception_email is not null and not rut_released;
