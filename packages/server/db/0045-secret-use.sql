-- Who asked for a secret of a key, and when, in real time; null for those of before, which came with their key or were
-- rolled unrecorded. `first_used_at`: from then on somebody holds it, and nobody is told it again.
alter table api_key_secret add column made_by text collate "C", add column made_at timestamptz,
  add column first_used_at timestamptz;
