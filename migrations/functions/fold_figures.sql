-- Adds at most p_limit changes of figures to the roll-ups and deletes them, in one statement, so that readers find each change in
-- exactly one of the two. Returns how many; 0 while another server is doing this.
create or replace function fold_figures(p_limit int) returns int language plpgsql as $$
declare folded int;
begin
  -- Any number that is the same on every server.
  if not pg_try_advisory_xact_lock(7304291) then return 0; end if;
  with taken as (
    delete from figure_changes where ctid = any (array(select ctid from figure_changes limit p_limit for update skip locked))
    returning *
  ), platform as (
    insert into platform_figures select unit, date_trunc(unit, at, 'UTC'),
        coalesce(sum(users), 0), coalesce(sum(active_users), 0), coalesce(sum(developers), 0), coalesce(sum(testers), 0),
        coalesce(sum(campaigns), 0), coalesce(sum(pending_approvals), 0), coalesce(sum(pending_links), 0),
        coalesce(sum(paid_cents), 0), coalesce(sum(refunded_cents), 0), coalesce(sum(fee_cents), 0),
        coalesce(sum(paying_campaigns), 0), coalesce(sum(joined), 0), coalesce(sum(verified), 0),
        coalesce(sum(ended), 0)
      from taken cross join (values ('hour'), ('month')) units (unit) group by 1, 2
    on conflict (unit, at) do update set
      users = platform_figures.users + excluded.users,
      active_users = platform_figures.active_users + excluded.active_users,
      developers = platform_figures.developers + excluded.developers,
      testers = platform_figures.testers + excluded.testers, campaigns = platform_figures.campaigns + excluded.campaigns,
      pending_approvals = platform_figures.pending_approvals + excluded.pending_approvals,
      pending_links = platform_figures.pending_links + excluded.pending_links,
      paid_cents = platform_figures.paid_cents + excluded.paid_cents,
      refunded_cents = platform_figures.refunded_cents + excluded.refunded_cents,
      fee_cents = platform_figures.fee_cents + excluded.fee_cents,
      paying_campaigns = platform_figures.paying_campaigns + excluded.paying_campaigns,
      joined = platform_figures.joined + excluded.joined, verified = platform_figures.verified + excluded.verified, ended = platform_figures.ended + excluded.ended
  ), tests as (
    insert into verified_tests select date_trunc('month', at, 'UTC'), date_trunc('hour', verified_at, 'UTC'), coalesce(sum(verified), 0),
        coalesce(sum(ended), 0)
      from taken where verified_at is not null group by 1, 2
    on conflict (month, hour) do update set verified = verified_tests.verified + excluded.verified,
      ended = verified_tests.ended + excluded.ended
  ), developers as (
    insert into developer_figures select developer_id, date_trunc('month', at, 'UTC'),
        coalesce(sum(campaigns), 0), coalesce(sum(live), 0), coalesce(sum(submitted), 0), coalesce(sum(approved), 0),
        coalesce(sum(completed), 0), coalesce(sum(started), 0), coalesce(sum(paid_cents), 0),
        coalesce(sum(refunded_cents), 0), coalesce(sum(joined), 0), coalesce(sum(check_ins_done), 0),
        coalesce(sum(check_ins_expected), 0)
      from taken where developer_id is not null group by 1, 2
    on conflict (developer_id, month) do update set
      campaigns = developer_figures.campaigns + excluded.campaigns, live = developer_figures.live + excluded.live,
      submitted = developer_figures.submitted + excluded.submitted,
      approved = developer_figures.approved + excluded.approved,
      completed = developer_figures.completed + excluded.completed, started = developer_figures.started + excluded.started,
      paid_cents = developer_figures.paid_cents + excluded.paid_cents,
      refunded_cents = developer_figures.refunded_cents + excluded.refunded_cents,
      joined = developer_figures.joined + excluded.joined,
      check_ins_done = developer_figures.check_ins_done + excluded.check_ins_done,
      check_ins_expected = developer_figures.check_ins_expected + excluded.check_ins_expected
  )
  select count(*) into folded from taken;
  return folded;
end $$;
