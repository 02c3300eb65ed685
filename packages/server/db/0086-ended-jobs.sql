-- The jobs of an empresa that ended, so that those of one that is deleted are found without a walk of everybody's. Open
-- ones are found by account.
create index job_ended_of_empresa on job (account_id, empresa_id) where finished_at is not null and empresa_id is not null;
