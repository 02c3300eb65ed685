-- As has_annulling_nota (0116), of documents of several accounts, each with its own. That one stays for a process of the release
-- before, which may still be running.
create function have_annulling_nota(of_accounts text[], ids text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from unnest(of_accounts, ids) as w (account_id, id), lateral (
      select from document d where d.account_id = w.account_id and d.annuls_id = w.id and d.annuls_id is not null
        and d.status in ('queued', 'sent', 'accepted', 'reparo') limit 1) n);
end $$;
