-- What campaign_revenue should say, from payments, refunds, and what covered lost disputes.
create or replace function revenue_of_campaign(p_campaign uuid, out last_paid_at timestamptz, out month timestamptz, out most_cents bigint)
  language sql stable as $$
  select max(paid_at), date_trunc('month', max(paid_at), 'UTC'), greatest(coalesce(max(since), 0), 0)::bigint
  from (
    -- The sums of all periods that end now; each period begins with one of the movements.
    select paid_at, sum(cents) over (order by at desc) as since from (
      select created_at as at, amount_cents as cents, created_at as paid_at from payments
        where campaign_id = p_campaign and status = 'COMPLETED'
      union all
      select created_at, -amount_cents, null from refunds where campaign_id = p_campaign
      union all
      select created_at, -amount_cents, null from dispute_covers where campaign_id = p_campaign
    ) moves
  ) sums
$$;
