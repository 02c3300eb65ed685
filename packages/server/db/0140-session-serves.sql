-- Which doors a session opens: those of the account, or the pages of agents alone. One that was opened for those pages before this
-- was told apart stays one of the account until its hour is over, and opens them no more.
alter table session add column serves text not null default 'account' check (serves in ('account', 'agent_pages'));
