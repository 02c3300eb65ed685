-- The free portal prints no cedible copy, and an empresa may change its channel: what a document left by stays with it.
alter table document add column emission_channel text not null default 'mercado';

update document d set emission_channel = e.emission_channel
from empresa e
where e.account_id = d.account_id and e.id = d.empresa_id and e.emission_channel <> 'mercado';
