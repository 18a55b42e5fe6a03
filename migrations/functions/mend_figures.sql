-- Compares the roll-ups with the full count between two beginnings of months, adds what is missing, and returns what was off, by
-- roll-up. Each is compared in one statement. A difference stays true while others write, because they and fold_figures only add.
create or replace function mend_figures(p_from timestamptz, p_to timestamptz)
  returns table (roll_up text, off jsonb) language plpgsql as $$
begin
  -- The lock of fold_figures. If two ran at once, the second would add the same again.
  perform pg_advisory_xact_lock(7304291);
  -- First, because it makes changes of the platform's figures. Each campaign is counted again once nobody else is counting it.
  return query with missing as (
    select * from campaign_revenue_off(p_from, p_to)
  ) select 'campaign_revenue', to_jsonb(missing) from missing;
  perform count_revenue_of(array(select campaign_id from campaign_revenue_off(p_from, p_to)));
  return query with missing as (
    select * from platform_figures_off(p_from, p_to)
  ), mended as (
    insert into platform_figures select * from missing on conflict (unit, at) do update set
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
  ) select 'platform_figures', to_jsonb(missing) from missing;
  return query with missing as (
    select * from verified_tests_off(p_from, p_to)
  ), mended as (
    insert into verified_tests select * from missing on conflict (month, hour) do update set
      verified = verified_tests.verified + excluded.verified, ended = verified_tests.ended + excluded.ended
  ) select 'verified_tests', to_jsonb(missing) from missing;
  return query with missing as (
    select * from developer_figures_off(p_from, p_to)
  ), mended as (
    insert into developer_figures select * from missing on conflict (developer_id, month) do update set
      campaigns = developer_figures.campaigns + excluded.campaigns, live = developer_figures.live + excluded.live,
      submitted = developer_figures.submitted + excluded.submitted,
      approved = developer_figures.approved + excluded.approved,
      completed = developer_figures.completed + excluded.completed, started = developer_figures.started + excluded.started,
      paid_cents = developer_figures.paid_cents + excluded.paid_cents,
      refunded_cents = developer_figures.refunded_cents + excluded.refunded_cents,
      joined = developer_figures.joined + excluded.joined,
      check_ins_done = developer_figures.check_ins_done + excluded.check_ins_done,
      check_ins_expected = developer_figures.check_ins_expected + excluded.check_ins_expected
  ) select 'developer_figures', to_jsonb(missing) from missing;
end $$;
