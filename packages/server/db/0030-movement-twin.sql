-- One bank account that is told by several: cartolas, a connection, a connection that was linked anew.

-- What tells an account from another beside its currency: the last digits of its number and its bank, where they are told.
alter table movement add column account_tail text collate "C";
alter table movement add column bank text collate "C";
update movement set account_tail = right(regexp_replace(bank_account, '\D', '', 'g'), 4)
  where length(regexp_replace(bank_account, '\D', '', 'g')) >= 4;

-- The movement that this one tells again. Where it is certain this one is hidden, as if its bank had taken it back.
alter table movement add column duplicate_of text collate "C";
alter table movement add column duplicate_certain boolean;
alter table movement add column duplicate_reason text collate "C";
alter table movement add constraint movement_duplicate_is_whole
  check (num_nulls(duplicate_of, duplicate_certain, duplicate_reason) in (0, 3));
create index movement_twins on movement (empresa_id, duplicate_of) where duplicate_of is not null;
create index movement_suspected on movement (empresa_id, post_date, id)
  where removed_at is null and duplicate_of is not null;

-- Movements of a cartola that another one had brought: they stay when that one is undone.
create table movement_told_again (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  statement_id text collate "C" not null,
  movement_id text collate "C" not null references movement on delete cascade,
  primary key (movement_id, statement_id),
  foreign key (account_id, empresa_id, statement_id)
    references statement (account_id, empresa_id, id) on delete cascade
);
create index movement_told_again_by on movement_told_again (empresa_id, statement_id);
