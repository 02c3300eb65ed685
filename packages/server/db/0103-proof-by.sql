-- Who proved a RUT that is not their own by having signed its mandato: the word of one person counts for a few RUTs at most.
alter table empresa add column rut_proof_by text;
update empresa e set rut_proof_by = c.holder_rut
from certificate c
where c.account_id = e.account_id and c.empresa_id = e.id and c.mode = e.mode and e.rut_proof = 'signer';
create index empresa_proof_by on empresa (mode, rut_proof_by) where rut_proof = 'signer' and status <> 'archived';

-- A certificate that its holder brought on a page was given for one empresa: the account may not put it into another.
alter table certificate add column reusable boolean not null default true;
