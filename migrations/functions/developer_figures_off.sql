-- By how much the developers' roll-ups are too low between two beginnings of months; see platform_figures_off.
create or replace function developer_figures_off(p_from timestamptz, p_to timestamptz) returns setof developer_figures
  language sql stable as $$
  select * from (
    select developer_id, month,
      coalesce(sum(campaigns), 0)::bigint as campaigns, coalesce(sum(live), 0)::bigint as live,
      coalesce(sum(submitted), 0)::bigint as submitted, coalesce(sum(approved), 0)::bigint as approved,
      coalesce(sum(completed), 0)::bigint as completed, coalesce(sum(started), 0)::bigint as started,
      coalesce(sum(paid_cents), 0)::bigint as paid_cents, coalesce(sum(refunded_cents), 0)::bigint as refunded_cents,
      coalesce(sum(joined), 0)::bigint as joined, coalesce(sum(check_ins_done), 0)::bigint as check_ins_done,
      coalesce(sum(check_ins_expected), 0)::bigint as check_ins_expected
    from (
      select developer_id, date_trunc('month', at, 'UTC') as month,
        campaigns, live, submitted, approved, completed, started, paid_cents, refunded_cents, joined, check_ins_done,
        check_ins_expected
      from developer_facts where at >= p_from and at < p_to
      union all
      select developer_id, month,
        -campaigns, -live, -submitted, -approved, -completed, -started, -paid_cents, -refunded_cents, -joined,
        -check_ins_done, -check_ins_expected
      from developer_months where month >= p_from and month < p_to
    ) counted group by developer_id, month
  ) off where
    campaigns <> 0 or live <> 0 or submitted <> 0 or approved <> 0 or completed <> 0 or started <> 0 or paid_cents <> 0 or
    refunded_cents <> 0 or joined <> 0 or check_ins_done <> 0 or check_ins_expected <> 0
$$;
