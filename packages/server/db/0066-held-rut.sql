-- From when on another account may take the RUT of a live empresa that is over and that nothing proved. Those that were left
-- to others before stay so.
alter table empresa add column rut_held_until timestamptz;
