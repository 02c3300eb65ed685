-- The accounts of one mailbox, whatever tag stands behind a + in their addresses: they are counted together whenever one
-- of them holds a live RUT. The expression is that of the statement, to the letter.
create index account_mailbox on account
  ((split_part(split_part(lower(email), '@', 1), '+', 1) || '@' || split_part(lower(email), '@', 2)));
