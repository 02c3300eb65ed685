-- By which reading of the clock a job was told when to run. One in the future was wrong: the job keeps its distance from it.
alter table job add column timed_at timestamptz;
