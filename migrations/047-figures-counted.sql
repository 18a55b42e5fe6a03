-- Part 3: the roll-ups are filled. What was written since part 2 is in figure_changes, so each gets the full count less
-- that, both as one statement sees them: nobody waits, and servers of the release before go on writing.
insert into platform_figures
  select unit, date_trunc(unit, at, 'UTC'),
    coalesce(sum(users), 0), coalesce(sum(active_users), 0), coalesce(sum(developers), 0), coalesce(sum(testers), 0),
    coalesce(sum(campaigns), 0), coalesce(sum(pending_approvals), 0), coalesce(sum(pending_links), 0),
    coalesce(sum(paid_cents), 0), coalesce(sum(refunded_cents), 0), coalesce(sum(fee_cents), 0),
    coalesce(sum(paying_campaigns), 0), coalesce(sum(joined), 0), coalesce(sum(verified), 0)
  from (
    select * from platform_facts
    union all
    select at,
      -users, -active_users, -developers, -testers, -campaigns, -pending_approvals, -pending_links, -paid_cents,
      -refunded_cents, -fee_cents, -paying_campaigns, -joined, -verified
    from figure_changes
  ) facts cross join (values ('hour'), ('month')) units (unit) group by 1, 2;

insert into verified_tests
  select date_trunc('month', joined_at, 'UTC'), date_trunc('hour', verified_at, 'UTC'), sum(tests) from (
    select joined_at, greatest(joined_at, closed_at) as verified_at, 1 as tests from participations where status = 'VERIFIED'
    union all
    select at, verified_at, -verified from figure_changes where verified_at is not null
  ) facts group by 1, 2;

insert into developer_figures
  select developer_id, date_trunc('month', at, 'UTC'),
    coalesce(sum(campaigns), 0), coalesce(sum(live), 0), coalesce(sum(submitted), 0), coalesce(sum(approved), 0),
    coalesce(sum(completed), 0), coalesce(sum(started), 0), coalesce(sum(paid_cents), 0), coalesce(sum(refunded_cents), 0),
    coalesce(sum(joined), 0), coalesce(sum(check_ins_done), 0), coalesce(sum(check_ins_expected), 0)
  from (
    select * from developer_facts
    union all
    select developer_id, at,
      -campaigns, -live, -submitted, -approved, -completed, -started, -paid_cents, -refunded_cents, -joined,
      -check_ins_done, -check_ins_expected
    from figure_changes where developer_id is not null
  ) facts group by 1, 2;
