-- Roll-ups of the dashboards' figures (decision 030, docs/metrics.md). Part 1: the changes, and revenue by campaign.

-- One row for each change of figures, written by a trigger in the transaction of what changes them, so that no two
-- transactions wait for one counter. A job adds the rows to the roll-ups and deletes them; who reads adds what is left here.
create table figure_changes (
  -- The time of what is counted: its hour and its month (UTC) are those under which it is counted.
  at timestamptz not null,
  -- Of a verified test: when it had both begun and been verified.
  verified_at timestamptz,
  -- Whose figures change, besides the platform's.
  developer_id uuid,
  -- How much is added to each; null is nothing.
  users int,
  active_users int,
  developers int,
  testers int,
  campaigns int,
  pending_approvals int,
  pending_links int,
  live int,
  submitted int,
  approved int,
  started int,
  completed int,
  paid_cents bigint,
  refunded_cents bigint,
  fee_cents bigint,
  paying_campaigns int,
  joined int,
  verified int,
  check_ins_done int,
  check_ins_expected int
);
create index figure_changes_of_developer on figure_changes (developer_id) where developer_id is not null;
-- Its rows live for a minute.
alter table figure_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- For the top campaigns of a period: when a campaign paid last, and the most that any period up to now can show of it. A
-- period's best are found among those that paid last in one of its months, the highest first.
create table campaign_revenue (
  campaign_id uuid primary key references campaigns (id),
  last_paid_at timestamptz,
  -- That of the last payment.
  month timestamptz,
  most_cents bigint not null default 0 check (most_cents >= 0)
);
create index campaign_revenue_by_month on campaign_revenue (month, most_cents desc, campaign_id desc) where most_cents > 0;

-- These two stand in migrations/functions too, for their bodies of later: servers of the release before need them at once.
-- What campaign_revenue has to say, from the payments and refunds.
create function revenue_of_campaign(p_campaign uuid, out last_paid_at timestamptz, out month timestamptz, out most_cents bigint)
  language sql stable as $$
  select max(paid_at), date_trunc('month', max(paid_at), 'UTC'), greatest(coalesce(max(since), 0), 0)::bigint
  from (
    -- The sums of all periods that end now: each begins with one of the moves.
    select paid_at, sum(cents) over (order by at desc) as since from (
      select created_at as at, amount_cents as cents, created_at as paid_at from payments
        where campaign_id = p_campaign and status = 'COMPLETED'
      union all
      select created_at, -amount_cents, null from refunds where campaign_id = p_campaign
    ) moves
  ) sums
$$;

-- The caller holds the campaigns; their rows here are locked all the same, so that each sees the payments of the other.
create function count_revenue_of(p_campaigns uuid[]) returns void language plpgsql as $$
begin
  insert into campaign_revenue (campaign_id) select distinct id from unnest(p_campaigns) id order by id on conflict do nothing;
  perform from campaign_revenue where campaign_id = any (p_campaigns) order by campaign_id for update;
  with counted as (
    select r.campaign_id, r.last_paid_at as paid_before, now.* from campaign_revenue r, revenue_of_campaign(r.campaign_id) now
    where r.campaign_id = any (p_campaigns)
  ), kept as (
    update campaign_revenue r set last_paid_at = c.last_paid_at, month = c.month, most_cents = c.most_cents
    from counted c where r.campaign_id = c.campaign_id
  )
  insert into figure_changes (at, paying_campaigns)
    select changed.at, changed.times from counted, lateral (values (paid_before, -1), (last_paid_at, 1)) changed (at, times)
    where paid_before is distinct from last_paid_at and changed.at is not null;
end $$;

create function count_payments() returns trigger language plpgsql as $$
begin
  if not exists (select from added where status = 'COMPLETED') then return null; end if;
  insert into figure_changes (at, developer_id, paid_cents)
    select created_at, developer_id, amount_cents from added where status = 'COMPLETED';
  perform count_revenue_of(array(select campaign_id from added where status = 'COMPLETED'));
  return null;
end $$;
create trigger payments_counted after insert on payments referencing new table as added
  for each statement execute function count_payments();

create function count_refunds() returns trigger language plpgsql as $$
begin
  if not exists (select from added) then return null; end if;
  insert into figure_changes (at, developer_id, refunded_cents) select created_at, developer_id, amount_cents from added;
  perform count_revenue_of(array(select campaign_id from added));
  return null;
end $$;
create trigger refunds_counted after insert on refunds referencing new table as added
  for each statement execute function count_refunds();

-- In this transaction, since the triggers have to find the rows of earlier payments. Writers of payments wait meanwhile.
insert into campaign_revenue (campaign_id, last_paid_at, month, most_cents)
  select campaign_id, max(paid_at), date_trunc('month', max(paid_at), 'UTC'), greatest(max(since), 0) from (
    select campaign_id, paid_at, sum(cents) over (partition by campaign_id order by at desc) as since from (
      select campaign_id, created_at as at, amount_cents as cents, created_at as paid_at from payments where status = 'COMPLETED'
      union all
      select campaign_id, created_at, -amount_cents, null from refunds
    ) moves
  ) sums group by campaign_id;
