-- A plan that is made while nobody waits takes any index that holds the open jobs for as good as another, and stays when a
-- hundred thousand wait: then each probe of a walk reads all of them. An index is used only where its condition is said, so
-- whoever walks accounts and lanes is left with the one that leads there (job_by_turn). By its time alone the queue is read by
-- those who say that it is later than never.
drop index job_unparked;
create index job_unparked on job (run_at) where status = 'queued' and not parked and run_at > '-infinity';
drop index job_of_account;
create index job_of_account on job (account_id, mode, due_at) where status in ('queued', 'running') and account_id is not null;
