-- Tests that have ended: verified, rejected for good, or dropped. A rate of conversion is of these alone (docs/metrics.md).

-- Nobody ends a test between the count below and the trigger.
lock table participations in share row exclusive mode;
alter table figure_changes add column ended int;
alter table platform_figures add column ended bigint not null default 0;
-- By the hour of the end, of whatever kind; its name is that of its first figure.
alter table verified_tests add column ended bigint not null default 0;

create or replace function count_participation() returns trigger language plpgsql as $$
declare
  c record;
begin
  select developer_id, duration_days, daily_check_in into strict c from campaigns where id = new.campaign_id;
  if tg_op = 'INSERT' and new.status = 'ACTIVE' then
    insert into figure_changes (at, developer_id, joined) values (new.joined_at, c.developer_id, 1);
    return null;
  end if;
  insert into figure_changes (at, verified_at, developer_id, joined, verified, ended,
      check_ins_done, check_ins_expected)
    select joined_at, case when is_ended then greatest(joined_at, closed_at) end, c.developer_id, times,
      case when is_verified then times end, case when is_ended then times end, times * done, times * greatest(done, days)
    from (values
      (new.joined_at, new.closed_at, new.status = 'VERIFIED',
        new.status in ('VERIFIED', 'REJECTED', 'DROPPED') and new.closed_at is not null, 1, new.check_in_count,
        coalesce(new.proof_submitted_at, new.closed_at)),
      (old.joined_at, old.closed_at, old.status = 'VERIFIED',
        old.status in ('VERIFIED', 'REJECTED', 'DROPPED') and old.closed_at is not null, -1, old.check_in_count,
        coalesce(old.proof_submitted_at, old.closed_at))
    ) test (joined_at, closed_at, is_verified, is_ended, times, check_in_count, settled_at)
    -- Both are null, and so is their greatest, unless check-ins of a settled test count.
    cross join lateral (select case when c.daily_check_in and settled_at is not null
        then least(check_in_count, c.duration_days) end as done,
      case when c.daily_check_in and settled_at is not null
        then least(c.duration_days, floor(extract(epoch from settled_at - joined_at) / 86400))::int end as days) check_ins
    where joined_at is not null;
  return null;
end $$;

create or replace view platform_facts as
  select created_at as at, 1 as users, (suspended_at is null)::int as active_users, (role = 'DEVELOPER')::int as developers,
    (role = 'TESTER')::int as testers, null::int as campaigns, null::int as pending_approvals, null::int as pending_links,
    null::bigint as paid_cents, null::bigint as refunded_cents, null::bigint as fee_cents, null::int as paying_campaigns,
    null::int as joined, null::int as verified,
    null::int as ended
  from users where deleted_at is null
  union all
  select created_at, null, null, null, null, 1, (status = 'PENDING_APPROVAL')::int,
    (pending_link is not null or pending_group_link is not null)::int, null, null, null, null, null, null, null
  from campaigns
  union all
  select created_at, null, null, null, null, null, null, null, amount_cents, null, null,
    (not exists (select from payments later where later.campaign_id = p.campaign_id and later.status = 'COMPLETED'
      and (later.created_at, later.seq) > (p.created_at, p.seq)))::int, null, null, null
  from payments p where status = 'COMPLETED'
  union all
  select created_at, null, null, null, null, null, null, null, null, amount_cents, null, null, null, null, null
  from refunds
  union all
  select at, null, null, null, null, null, null, null, null, null, amount_cents, null, null, null, null
  from transfers where credit_account_id = (select id from accounts where kind = 'PLATFORM_REVENUE' and owner_id is null)
  union all
  select joined_at, null, null, null, null, null, null, null, null, null, null, null, 1, (status = 'VERIFIED')::int,
    (status in ('VERIFIED', 'REJECTED', 'DROPPED') and closed_at is not null)::int
  from participations;

create or replace view platform_hours as
  select at as hour, users, active_users, developers, testers, campaigns, pending_approvals, pending_links, paid_cents,
    refunded_cents, fee_cents, paying_campaigns, joined, verified, ended
  from platform_figures where unit = 'hour'
  union all
  select date_trunc('hour', at, 'UTC'), users, active_users, developers, testers, campaigns, pending_approvals, pending_links,
    paid_cents, refunded_cents, fee_cents, paying_campaigns, joined, verified, ended
  from figure_changes;
create or replace view platform_months as
  select at as month, users, active_users, developers, testers, campaigns, pending_approvals, pending_links, paid_cents,
    refunded_cents, fee_cents, paying_campaigns, joined, verified, ended
  from platform_figures where unit = 'month'
  union all
  select date_trunc('month', at, 'UTC'), users, active_users, developers, testers, campaigns, pending_approvals, pending_links,
    paid_cents, refunded_cents, fee_cents, paying_campaigns, joined, verified, ended
  from figure_changes;
create or replace view verified_hours as
  select month, hour, verified, ended from verified_tests
  union all
  select date_trunc('month', at, 'UTC'), date_trunc('hour', verified_at, 'UTC'), verified, ended from figure_changes
  where verified_at is not null;

insert into platform_figures (unit, at, ended)
  select unit, date_trunc(unit, joined_at, 'UTC'), count(*)
  from participations cross join (values ('hour'), ('month')) units (unit)
  where status in ('VERIFIED', 'REJECTED', 'DROPPED') and closed_at is not null group by 1, 2
  on conflict (unit, at) do update set ended = excluded.ended;
insert into verified_tests (month, hour, ended)
  select date_trunc('month', joined_at, 'UTC'), date_trunc('hour', greatest(joined_at, closed_at), 'UTC'), count(*)
  from participations where status in ('VERIFIED', 'REJECTED', 'DROPPED') and closed_at is not null group by 1, 2
  on conflict (month, hour) do update set ended = excluded.ended;
