-- Who last wrote an empresa, its branding and its automation settings, and when, in real time: whoever takes an account back is
-- told what somebody else may have changed.
alter table empresa add column written_by text collate "C", add column written_at timestamptz;
alter table branding add column written_by text collate "C", add column written_at timestamptz;
alter table automation_settings add column written_by text collate "C", add column written_at timestamptz;
