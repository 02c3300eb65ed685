-- How often the portal did not sign a document for a reason that may be its own: a password is believed refused only after
-- some of them, and not tried on for ever.
alter table sii_portal_order add column doubts integer not null default 0;
