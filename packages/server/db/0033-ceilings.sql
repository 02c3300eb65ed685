-- What an account may hold is counted before one more is made: keys that work, links that live.
create index api_key_unrevoked on api_key (account_id, mode) where revoked_at is null;
create index public_link_unrevoked on public_link (account_id, mode) where revoked_at is null;
