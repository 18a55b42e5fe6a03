-- no transaction
update campaigns c set escrow_since = paid.at, escrow_due_at = paid.at + interval '80 days'
  from (
    select id, (select min(created_at) from payments where campaign_id = open.id and status = 'COMPLETED') as at from campaigns open
    where escrow_since is null
      and (status not in ('COMPLETED', 'CANCELLED') or open_testers > 0 or disputed_since is not null or after_dispute)
      and exists (select from payments where campaign_id = open.id and status = 'COMPLETED') limit 1000
  ) paid where c.id = paid.id;
-- Of campaigns that may still have money in escrow: those that go on, those with open tests, and those that a dispute holds.
create index concurrently if not exists campaigns_escrow_due on campaigns (escrow_due_at, id)
  where status not in ('COMPLETED', 'CANCELLED') or open_testers > 0 or disputed_since is not null or after_dispute;
