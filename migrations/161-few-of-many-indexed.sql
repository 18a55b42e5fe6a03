-- no transaction
-- What a developer owes is looked for in campaigns with a lost dispute, not in all of them.
create index concurrently if not exists campaigns_lost_of_developer on campaigns (developer_id) where dispute_lost_at is not null;
-- Of those that are not covered, refunds may still be set off.
create index concurrently if not exists disputes_owed on disputes (payment_id)
  where status = 'LOST' and covered_cents + set_off_cents < amount_cents;
-- Money on its way is late unless its tester is suspended: few are.
create index concurrently if not exists users_suspended on users (id) where suspended_at is not null;
