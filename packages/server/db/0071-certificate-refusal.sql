-- By which of its roads the SII does not let the holder of the certificate send for an empresa: what it said, how often, and
-- when one document is let through to ask again. Every call asks, so it stands with the empresa, as the end of the certificate.
alter table empresa add column certificate_refused json not null default '{}';
