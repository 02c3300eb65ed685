-- Which job ended the last reading of a period: until its worker puts it away it looks like one that still runs, and
-- whoever asks for the period in that moment shares it without another reading to wait for.
alter table rcv_sync add column ended_by text collate "C";
