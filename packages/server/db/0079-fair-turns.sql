-- Accounts take turns at the jobs of a pool, and within each its lanes do: the walk goes from account to account, then
-- from lane to lane, one probe for each, however long the lines are. A job of no account is the platform's own.
create index job_by_turn on job (pool, (coalesce(account_id, '-') collate "C"), lane, run_at, id)
  where status = 'queued' and not parked;
drop index job_to_run;

-- Mails of megabytes mostly hold base64: compressing them costs a core more than the disk is worth, and what is not
-- compressed can be read in slices.
alter table reception_mail alter column raw set storage external;
alter table reception_quarantine alter column raw set storage external;
