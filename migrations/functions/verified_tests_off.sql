-- By how much the roll-up of verified tests is too low, from one beginning of a month to another, as platform_figures_off.
create or replace function verified_tests_off(p_from timestamptz, p_to timestamptz) returns setof verified_tests
  language sql stable as $$
  select month, hour, sum(tests)::bigint from (
    select date_trunc('month', joined_at, 'UTC') as month,
      date_trunc('hour', greatest(joined_at, closed_at), 'UTC') as hour, 1 as tests
    from participations where status = 'VERIFIED' and joined_at >= p_from and joined_at < p_to
    union all
    select month, hour, -verified from verified_hours where month >= p_from and month < p_to
  ) counted group by month, hour having sum(tests) <> 0
$$;
