-- How often the AEC left for the register: of one that left twice, the second copy may be refused because of the first.
alter table cesion add column sends integer not null default 0;
update cesion set sends = 1 where aec is not null;
-- Since when the register refuses a copy while an earlier one may still be registered.
alter table cesion add column refused_since timestamptz;
