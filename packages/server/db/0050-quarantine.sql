-- What a person decided about a file that was set aside: a released one became documents, the bytes of a discarded one
-- are forgotten at once.
alter table reception_quarantine
  add column status text not null default 'quarantined' check (status in ('quarantined', 'released', 'discarded')),
  add column settled_at timestamptz,
  add column document_ids text[] not null default '{}';
