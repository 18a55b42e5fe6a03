-- The roll-ups of the dashboards' figures, together with the changes that are not in them yet, equal the full count.
select 'platform_figures' as roll_up, to_jsonb(off) as off from platform_figures_off('-infinity', 'infinity') off
union all
select 'verified_tests', to_jsonb(off) from verified_tests_off('-infinity', 'infinity') off
union all
select 'developer_figures', to_jsonb(off) from developer_figures_off('-infinity', 'infinity') off
union all
select 'campaign_revenue', to_jsonb(off) from campaign_revenue_off('-infinity', 'infinity') off
union all
-- The full count could have the same gap, so this compares what developers spent with what their campaigns say was paid in (spec
-- §9).
select 'developer_spent', jsonb_build_object('developer_id', u.id, 'spent_cents', spent.cents, 'campaigns_cents', c.cents)
from users u
cross join lateral (select coalesce(sum(coalesce(paid_cents, 0) - coalesce(refunded_cents, 0)), 0) as cents
  from developer_months where developer_id = u.id) spent
cross join lateral (select coalesce(sum(funded_cents + fee_cents), 0) as cents from campaigns where developer_id = u.id) c
where u.role = 'DEVELOPER' and spent.cents <> c.cents
union all
select 'platform_revenue', jsonb_build_object('revenue_cents', revenue.cents, 'campaigns_cents', c.cents)
from (select coalesce(sum(coalesce(paid_cents, 0) - coalesce(refunded_cents, 0)), 0) as cents from platform_months) revenue
cross join (select coalesce(sum(funded_cents + fee_cents), 0) as cents from campaigns) c
where revenue.cents <> c.cents;
