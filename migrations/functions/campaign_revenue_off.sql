-- What campaign_revenue should say where it says something else, for campaigns that last paid, or are said to have last paid,
-- between two beginnings of months.
create or replace function campaign_revenue_off(p_from timestamptz, p_to timestamptz) returns setof campaign_revenue
  language sql stable as $$
  select c.campaign_id, now.* from (
    select campaign_id from payments where status = 'COMPLETED' and created_at >= p_from and created_at < p_to
    union
    select campaign_id from campaign_revenue where month >= p_from and month < p_to
  ) c
  cross join lateral revenue_of_campaign(c.campaign_id) now
  left join campaign_revenue kept on kept.campaign_id = c.campaign_id
  where (kept.last_paid_at, kept.month, kept.most_cents) is distinct from (now.last_paid_at, now.month, now.most_cents)
$$;
