-- Whether a nota annuls one of these documents, or will. In a function that is volatile, so that it looks at the table as it is
-- when it is called, behind a lock that the statement waited for, and not as it was when the statement began.
create function has_annulling_nota(of_account text, ids text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (select from document where account_id = of_account and annuls_id = any(ids) and annuls_id is not null
    and status in ('queued', 'sent', 'accepted', 'reparo'));
end $$;
