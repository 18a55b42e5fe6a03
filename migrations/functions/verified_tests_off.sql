-- By how much the roll-up of ended and verified tests is too low between two beginnings of months; see platform_figures_off.
create or replace function verified_tests_off(p_from timestamptz, p_to timestamptz) returns setof verified_tests
  language sql stable as $$
  select month, hour, coalesce(sum(verified), 0)::bigint, coalesce(sum(ended), 0)::bigint from (
    select date_trunc('month', joined_at, 'UTC') as month,
      date_trunc('hour', greatest(joined_at, closed_at), 'UTC') as hour, (status = 'VERIFIED')::int as verified, 1 as ended
    from participations where status in ('VERIFIED', 'REJECTED', 'DROPPED') and closed_at is not null
      and joined_at >= p_from and joined_at < p_to
    union all
    select month, hour, -verified, -ended from verified_hours where month >= p_from and month < p_to
  ) counted group by month, hour having coalesce(sum(verified), 0) <> 0 or coalesce(sum(ended), 0) <> 0
$$;
