-- The caller holds the campaigns, but may share them, so their rows here are locked as well: each caller then sees the other's
-- payments.
create or replace function count_revenue_of(p_campaigns uuid[]) returns void language plpgsql as $$
begin
  insert into campaign_revenue (campaign_id) select distinct id from unnest(p_campaigns) id order by id on conflict do nothing;
  perform from campaign_revenue where campaign_id = any (p_campaigns) order by campaign_id for update;
  with counted as (
    select r.campaign_id, r.last_paid_at as paid_before, now.* from campaign_revenue r, revenue_of_campaign(r.campaign_id) now
    where r.campaign_id = any (p_campaigns)
  ), kept as (
    update campaign_revenue r set last_paid_at = c.last_paid_at, month = c.month, most_cents = c.most_cents
    from counted c where r.campaign_id = c.campaign_id
  )
  insert into figure_changes (at, paying_campaigns)
    select changed.at, changed.times from counted, lateral (values (paid_before, -1), (last_paid_at, 1)) changed (at, times)
    where paid_before is distinct from last_paid_at and changed.at is not null;
end $$;
