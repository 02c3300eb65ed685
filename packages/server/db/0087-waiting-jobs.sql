-- What outside thing a job was put off for because it does not answer, so that all of them are tried soon when it does
-- again; and when that was last done for a job, for a thing that comes and goes must not be asked without end.
alter table job
  add column waits_for text collate "C",
  add column hastened_at timestamptz;
create index job_waiting on job (waits_for, run_at) where status = 'queued' and waits_for is not null;
