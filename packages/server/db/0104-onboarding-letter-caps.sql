-- Letters about onboardings that went to a mailbox which is not the account's own, and which nobody confirmed: how many one mailbox
-- gets, and how many one account causes, in a day. The mailbox is a keyed digest, to be counted alone.
create table onboarding_letter_count (
  account_id text collate "C" not null references account (id),
  mailbox text collate "C" not null,
  written_at timestamptz not null
);
create index onboarding_letter_count_of_mailbox on onboarding_letter_count (mailbox, written_at);
create index onboarding_letter_count_of_account on onboarding_letter_count (account_id, written_at);
create index onboarding_letter_count_age on onboarding_letter_count (written_at);
