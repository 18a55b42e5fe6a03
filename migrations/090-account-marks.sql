-- Balances of the platform's accounts as of past transfers, a mark every ten thousand of an account's transfers: what follows the
-- last mark before a moment is added up when it is asked for (decision 056). Derived; only ledger functions write them.
create table account_marks (
  account_id bigint not null references accounts (id),
  -- The last transfer that the balance includes.
  up_to bigint not null,
  balance_cents bigint not null,
  primary key (account_id, up_to)
);

-- Up to which transfer nothing can be added any more, as of the last time somebody looked.
create table ledger_horizon (
  single boolean primary key default true check (single),
  up_to bigint not null,
  -- The next horizon: final when all transactions below `asked_below` have ended.
  asked_up_to bigint not null,
  asked_below xid8 not null
);
insert into ledger_horizon (up_to, asked_up_to, asked_below) values (0, 0, '3');
