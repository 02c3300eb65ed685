-- What is past its retention is found by when it was written.
create index lasting_change_by_time on lasting_change (written_at);
