-- Tipos of an empresa whose documents the SII refused one after the other for the same reason, which lies in the empresa's own
-- data: the reason, how often, and when one document is let through to see whether it still holds.
alter table empresa add column documents_refused json not null default '{}';
