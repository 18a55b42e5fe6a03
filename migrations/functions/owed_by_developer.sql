-- What a developer owes the platform for lost disputes, in cents: what banks took back of payments, as far as it is neither
-- covered by money that the campaigns had no use for, nor set off against refunds, nor settled with the operator.
create or replace function owed_by_developer(p_developer uuid) returns bigint language sql stable as $$
  select coalesce(sum(d.amount_cents - d.covered_cents - d.set_off_cents - d.settled_cents), 0)::bigint
    from campaigns c join disputes d on d.campaign_id = c.id and d.status = 'LOST'
    where c.developer_id = p_developer and c.dispute_lost_at is not null
$$;
