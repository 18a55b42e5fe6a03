-- Part 2: the roll-ups, what else changes them, and the views that define what they have to say.

-- The platform's figures, of each hour and of each month (UTC). A sum of any length reads whole months, the hours of a
-- month that is not whole, and the rows of an hour that is not whole.
create table platform_figures (
  unit text not null check (unit in ('hour', 'month')),
  at timestamptz not null,
  -- By registration, of accounts that are not deleted.
  users bigint not null default 0,
  active_users bigint not null default 0,
  developers bigint not null default 0,
  testers bigint not null default 0,
  -- By creation.
  campaigns bigint not null default 0,
  pending_approvals bigint not null default 0,
  pending_links bigint not null default 0,
  paid_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  -- By their last payment.
  paying_campaigns bigint not null default 0,
  -- Both by the time of joining.
  joined bigint not null default 0,
  verified bigint not null default 0,
  primary key (unit, at)
);

-- Verified tests by the month of joining and by the hour in which they had both begun and been verified: how many of a
-- month's tests were verified up to some day.
create table verified_tests (
  month timestamptz,
  hour timestamptz,
  verified bigint not null default 0,
  primary key (month, hour)
);

create table developer_figures (
  developer_id uuid not null references users (id),
  month timestamptz not null,
  -- By creation: all, and in which state they are.
  campaigns bigint not null default 0,
  live bigint not null default 0,
  submitted bigint not null default 0,
  approved bigint not null default 0,
  completed bigint not null default 0,
  -- By the first start.
  started bigint not null default 0,
  paid_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  -- By the time of joining. Check-ins are counted once the proof is there or the test is over: until then each day changes
  -- what is expected, and the tests under way are counted by whoever asks.
  joined bigint not null default 0,
  check_ins_done bigint not null default 0,
  check_ins_expected bigint not null default 0,
  primary key (developer_id, month)
);

-- A developer's campaigns with tests under way.
create index campaigns_running_of_developer on campaigns (developer_id) where status in ('LIVE', 'PAUSED');

create function count_user() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.deleted_at is null then
    insert into figure_changes (at, users, active_users, developers, testers) values (old.created_at, -1,
      -(old.suspended_at is null)::int, -(old.role = 'DEVELOPER')::int, -(old.role = 'TESTER')::int);
  end if;
  if new.deleted_at is null then
    insert into figure_changes (at, users, active_users, developers, testers) values (new.created_at, 1,
      (new.suspended_at is null)::int, (new.role = 'DEVELOPER')::int, (new.role = 'TESTER')::int);
  end if;
  return null;
end $$;
create trigger users_counted after insert on users for each row execute function count_user();
create trigger users_counted_again after update on users for each row
  when ((old.deleted_at is null, old.suspended_at is null, old.role, old.created_at)
    is distinct from (new.deleted_at is null, new.suspended_at is null, new.role, new.created_at))
  execute function count_user();

create function count_campaign() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into figure_changes (at, developer_id, campaigns, pending_approvals, pending_links, live, submitted, approved, completed)
      values (old.created_at, old.developer_id, -1, -(old.status = 'PENDING_APPROVAL')::int,
        -(old.pending_link is not null or old.pending_group_link is not null)::int, -(old.status = 'LIVE')::int,
        -(old.submitted_at is not null)::int, -(old.status = 'APPROVED' or old.start_date is not null)::int,
        -(old.status = 'COMPLETED')::int);
    if old.start_date is not null then
      insert into figure_changes (at, developer_id, started) values (old.start_date, old.developer_id, -1);
    end if;
  end if;
  insert into figure_changes (at, developer_id, campaigns, pending_approvals, pending_links, live, submitted, approved, completed)
    values (new.created_at, new.developer_id, 1, (new.status = 'PENDING_APPROVAL')::int,
      (new.pending_link is not null or new.pending_group_link is not null)::int, (new.status = 'LIVE')::int,
      (new.submitted_at is not null)::int, (new.status = 'APPROVED' or new.start_date is not null)::int,
      (new.status = 'COMPLETED')::int);
  if new.start_date is not null then
    insert into figure_changes (at, developer_id, started) values (new.start_date, new.developer_id, 1);
  end if;
  return null;
end $$;
create trigger campaigns_counted after insert on campaigns for each row execute function count_campaign();
-- Not when a seat is taken.
create trigger campaigns_counted_again after update on campaigns for each row
  when (old.status <> new.status or old.start_date is distinct from new.start_date
    or (old.submitted_at is null) <> (new.submitted_at is null)
    or (old.pending_link is null and old.pending_group_link is null)
      <> (new.pending_link is null and new.pending_group_link is null))
  execute function count_campaign();

create function count_fee() returns trigger language plpgsql as $$
begin
  insert into figure_changes (at, fee_cents) values (new.at, new.amount_cents);
  return null;
end $$;
-- A condition cannot look up the account; its id never changes.
do $$ begin
  execute format('create trigger transfers_counted after insert on transfers for each row
    when (new.credit_account_id = %s) execute function count_fee()',
    (select id from accounts where kind = 'PLATFORM_REVENUE'));
end $$;

create function count_participation() returns trigger language plpgsql as $$
declare
  c record;
begin
  select developer_id, duration_days, daily_check_in into strict c from campaigns where id = new.campaign_id;
  if tg_op = 'INSERT' and new.status = 'ACTIVE' then
    insert into figure_changes (at, developer_id, joined) values (new.joined_at, c.developer_id, 1);
    return null;
  end if;
  insert into figure_changes (at, verified_at, developer_id, joined, verified, check_ins_done, check_ins_expected)
    select joined_at, case when is_verified then greatest(joined_at, closed_at) end, c.developer_id, times,
      case when is_verified then times end, times * done, times * greatest(done, days)
    from (values
      (new.joined_at, new.closed_at, new.status = 'VERIFIED', 1, new.check_in_count,
        coalesce(new.proof_submitted_at, new.closed_at)),
      (old.joined_at, old.closed_at, old.status = 'VERIFIED', -1, old.check_in_count,
        coalesce(old.proof_submitted_at, old.closed_at))
    ) test (joined_at, closed_at, is_verified, times, check_in_count, settled_at)
    -- Both are null, and so is their greatest, unless check-ins of a settled test count.
    cross join lateral (select case when c.daily_check_in and settled_at is not null
        then least(check_in_count, c.duration_days) end as done,
      case when c.daily_check_in and settled_at is not null
        then least(c.duration_days, floor(extract(epoch from settled_at - joined_at) / 86400))::int end as days) check_ins
    where joined_at is not null;
  return null;
end $$;
create trigger participations_counted after insert on participations for each row execute function count_participation();
-- Not at a check-in.
create trigger participations_counted_again after update on participations for each row
  when (old.closed_at is distinct from new.closed_at or old.proof_submitted_at is distinct from new.proof_submitted_at
    or old.joined_at <> new.joined_at
    or (old.check_in_count <> new.check_in_count and (new.proof_submitted_at is not null or new.closed_at is not null)))
  execute function count_participation();

-- The figures counted in full: a row for everything that counts. The roll-ups are made from these views and compared with
-- them every night, and an hour that is not whole is read from them.
create view platform_facts as
  select created_at as at, 1 as users, (suspended_at is null)::int as active_users, (role = 'DEVELOPER')::int as developers,
    (role = 'TESTER')::int as testers, null::int as campaigns, null::int as pending_approvals, null::int as pending_links,
    null::bigint as paid_cents, null::bigint as refunded_cents, null::bigint as fee_cents, null::int as paying_campaigns,
    null::int as joined, null::int as verified
  from users where deleted_at is null
  union all
  select created_at, null, null, null, null, 1, (status = 'PENDING_APPROVAL')::int,
    (pending_link is not null or pending_group_link is not null)::int, null, null, null, null, null, null
  from campaigns
  union all
  select created_at, null, null, null, null, null, null, null, amount_cents, null, null,
    (not exists (select from payments later where later.campaign_id = p.campaign_id and later.status = 'COMPLETED'
      and (later.created_at, later.seq) > (p.created_at, p.seq)))::int, null, null
  from payments p where status = 'COMPLETED'
  union all
  select created_at, null, null, null, null, null, null, null, null, amount_cents, null, null, null, null
  from refunds
  union all
  select at, null, null, null, null, null, null, null, null, null, amount_cents, null, null, null
  from transfers where credit_account_id = (select id from accounts where kind = 'PLATFORM_REVENUE' and owner_id is null)
  union all
  select joined_at, null, null, null, null, null, null, null, null, null, null, null, 1, (status = 'VERIFIED')::int
  from participations;

create view developer_facts as
  select developer_id, created_at as at, 1 as campaigns, (status = 'LIVE')::int as live,
    (submitted_at is not null)::int as submitted, (status = 'APPROVED' or start_date is not null)::int as approved,
    (status = 'COMPLETED')::int as completed, null::int as started, null::bigint as paid_cents,
    null::bigint as refunded_cents, null::int as joined, null::int as check_ins_done, null::int as check_ins_expected
  from campaigns
  union all
  select developer_id, start_date, null, null, null, null, null, 1, null, null, null, null, null
  from campaigns where start_date is not null
  union all
  select developer_id, created_at, null, null, null, null, null, null, amount_cents, null, null, null, null
  from payments where status = 'COMPLETED'
  union all
  select developer_id, created_at, null, null, null, null, null, null, null, amount_cents, null, null, null
  from refunds
  union all
  select c.developer_id, p.joined_at, null, null, null, null, null, null, null, null, 1,
    case when settled then least(p.check_in_count, c.duration_days) end,
    case when settled then greatest(least(p.check_in_count, c.duration_days), least(c.duration_days,
      floor(extract(epoch from coalesce(p.proof_submitted_at, p.closed_at) - p.joined_at) / 86400)))::int end
  from participations p join campaigns c on c.id = p.campaign_id
  cross join lateral (select c.daily_check_in and coalesce(p.proof_submitted_at, p.closed_at) is not null as settled) s;

-- The roll-ups with the changes that are not in them yet.
create view platform_hours as
  select at as hour, users, active_users, developers, testers, campaigns, pending_approvals, pending_links, paid_cents,
    refunded_cents, fee_cents, paying_campaigns, joined, verified
  from platform_figures where unit = 'hour'
  union all
  select date_trunc('hour', at, 'UTC'), users, active_users, developers, testers, campaigns, pending_approvals, pending_links,
    paid_cents, refunded_cents, fee_cents, paying_campaigns, joined, verified
  from figure_changes;
create view platform_months as
  select at as month, users, active_users, developers, testers, campaigns, pending_approvals, pending_links, paid_cents,
    refunded_cents, fee_cents, paying_campaigns, joined, verified
  from platform_figures where unit = 'month'
  union all
  select date_trunc('month', at, 'UTC'), users, active_users, developers, testers, campaigns, pending_approvals, pending_links,
    paid_cents, refunded_cents, fee_cents, paying_campaigns, joined, verified
  from figure_changes;
create view verified_hours as
  select month, hour, verified from verified_tests
  union all
  select date_trunc('month', at, 'UTC'), date_trunc('hour', verified_at, 'UTC'), verified from figure_changes
  where verified_at is not null;
create view developer_months as
  select developer_id, month, campaigns, live, submitted, approved, completed, started, paid_cents, refunded_cents, joined,
    check_ins_done, check_ins_expected
  from developer_figures
  union all
  select developer_id, date_trunc('month', at, 'UTC'), campaigns, live, submitted, approved, completed, started, paid_cents,
    refunded_cents, joined, check_ins_done, check_ins_expected
  from figure_changes where developer_id is not null;
