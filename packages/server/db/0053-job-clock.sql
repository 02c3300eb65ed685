-- When a job ended by the clock of its owner, as a caller reads it. `finished_at` stays real time: retention goes by it.
alter table job add column clock_finished_at timestamptz;
