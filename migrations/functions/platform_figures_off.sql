-- By how much the platform's roll-ups are too low between two beginnings of months: the full count minus the roll-ups and the
-- changes that are not in them yet, in one statement and thus at one moment.
create or replace function platform_figures_off(p_from timestamptz, p_to timestamptz) returns setof platform_figures
  language sql stable as $$
  -- Counts by the hour first, because each hour has many facts, and each fact counts in its hour and in its month.
  with facts as materialized (
    select date_trunc('hour', at, 'UTC') as hour,
      coalesce(sum(users), 0)::bigint as users, coalesce(sum(active_users), 0)::bigint as active_users,
      coalesce(sum(developers), 0)::bigint as developers, coalesce(sum(testers), 0)::bigint as testers,
      coalesce(sum(campaigns), 0)::bigint as campaigns, coalesce(sum(pending_approvals), 0)::bigint as pending_approvals,
      coalesce(sum(pending_links), 0)::bigint as pending_links, coalesce(sum(paid_cents), 0)::bigint as paid_cents,
      coalesce(sum(refunded_cents), 0)::bigint as refunded_cents, coalesce(sum(fee_cents), 0)::bigint as fee_cents,
      coalesce(sum(paying_campaigns), 0)::bigint as paying_campaigns, coalesce(sum(joined), 0)::bigint as joined,
      coalesce(sum(verified), 0)::bigint as verified, coalesce(sum(ended), 0)::bigint as ended
    from platform_facts where at >= p_from and at < p_to group by 1
  )
  select * from (
    select unit, at,
      coalesce(sum(users), 0)::bigint as users, coalesce(sum(active_users), 0)::bigint as active_users,
      coalesce(sum(developers), 0)::bigint as developers, coalesce(sum(testers), 0)::bigint as testers,
      coalesce(sum(campaigns), 0)::bigint as campaigns, coalesce(sum(pending_approvals), 0)::bigint as pending_approvals,
      coalesce(sum(pending_links), 0)::bigint as pending_links, coalesce(sum(paid_cents), 0)::bigint as paid_cents,
      coalesce(sum(refunded_cents), 0)::bigint as refunded_cents, coalesce(sum(fee_cents), 0)::bigint as fee_cents,
      coalesce(sum(paying_campaigns), 0)::bigint as paying_campaigns, coalesce(sum(joined), 0)::bigint as joined,
      coalesce(sum(verified), 0)::bigint as verified, coalesce(sum(ended), 0)::bigint as ended
    from (
      select unit, date_trunc(unit, hour, 'UTC') as at,
        users, active_users, developers, testers, campaigns, pending_approvals, pending_links, paid_cents, refunded_cents,
        fee_cents, paying_campaigns, joined, verified, ended
      from facts cross join (values ('hour'), ('month')) units (unit)
      union all
      select 'hour', hour,
        -users, -active_users, -developers, -testers, -campaigns, -pending_approvals, -pending_links, -paid_cents,
        -refunded_cents, -fee_cents, -paying_campaigns, -joined, -verified, -ended
      from platform_hours where hour >= p_from and hour < p_to
      union all
      select 'month', month,
        -users, -active_users, -developers, -testers, -campaigns, -pending_approvals, -pending_links, -paid_cents,
        -refunded_cents, -fee_cents, -paying_campaigns, -joined, -verified, -ended
      from platform_months where month >= p_from and month < p_to
    ) counted group by unit, at
  ) off where
    users <> 0 or active_users <> 0 or developers <> 0 or testers <> 0 or campaigns <> 0 or pending_approvals <> 0 or
    pending_links <> 0 or paid_cents <> 0 or refunded_cents <> 0 or fee_cents <> 0 or paying_campaigns <> 0 or joined <> 0 or
    verified <> 0 or ended <> 0
$$;
