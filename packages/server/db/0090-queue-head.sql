-- The head of the queue, for whoever watches how long it is. Rows come at its end.
create index job_unparked on job (run_at) where status = 'queued' and not parked;
