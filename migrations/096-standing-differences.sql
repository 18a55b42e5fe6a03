-- A difference between our books and the provider's balance is a breach once it has stood for minutes: since when it is seen, and the
-- least that it was meanwhile.
alter table provider_comparisons add column off_since timestamptz;
alter table provider_comparisons add column standing_cents bigint not null default 0;
