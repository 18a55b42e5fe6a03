-- What covers a lost dispute is paid in no longer, and what is won after all is again: a row for each time, as one of refunds is
-- for each refund, from which the figures count it and papers tell pay from fee.
create table dispute_covers (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  dispute_id uuid not null references disputes (id),
  campaign_id uuid not null references campaigns (id),
  developer_id uuid not null references users (id),
  -- What is covered, and how much of it was the fee; negative when it is the campaign's again.
  amount_cents bigint not null check (amount_cents <> 0),
  fee_cents bigint not null check (case when amount_cents > 0 then fee_cents between 0 and amount_cents
    else fee_cents between amount_cents and 0 end),
  created_at timestamptz not null
);
create index dispute_covers_of_dispute on dispute_covers (dispute_id, seq);
create index dispute_covers_of_campaign on dispute_covers (campaign_id, created_at);
create index dispute_covers_by_time on dispute_covers (created_at) include (amount_cents, campaign_id);
create index dispute_covers_of_developer on dispute_covers (developer_id, created_at) include (amount_cents);

-- It stands in migrations/functions too, for its bodies of later: the rows below are counted by it.
create or replace function revenue_of_campaign(p_campaign uuid, out last_paid_at timestamptz, out month timestamptz, out most_cents bigint)
  language sql stable as $$
  select max(paid_at), date_trunc('month', max(paid_at), 'UTC'), greatest(coalesce(max(since), 0), 0)::bigint
  from (
    -- The sums of all periods that end now: each begins with one of the moves.
    select paid_at, sum(cents) over (order by at desc) as since from (
      select created_at as at, amount_cents as cents, created_at as paid_at from payments
        where campaign_id = p_campaign and status = 'COMPLETED'
      union all
      select created_at, -amount_cents, null from refunds where campaign_id = p_campaign
      union all
      select created_at, -amount_cents, null from dispute_covers where campaign_id = p_campaign
    ) moves
  ) sums
$$;

create function count_dispute_cover() returns trigger language plpgsql as $$
begin
  insert into figure_changes (at, developer_id, refunded_cents) values (new.created_at, new.developer_id, new.amount_cents);
  perform count_revenue_of(array[new.campaign_id]);
  return null;
end $$;
create trigger dispute_covers_counted after insert on dispute_covers for each row execute function count_dispute_cover();

-- Its transfers were posted just before, under the number of the dispute's movements.
create function note_dispute_cover() returns trigger language plpgsql as $$
declare
  covers boolean := new.covered_cents > old.covered_cents;
  place text := case when covers then ':' || old.id || ':' || old.movements || ':' || old.covered_cents
    else ':' || new.id || ':' || new.movements end;
  kind text := case when covers then 'covered' else 'uncovered' end;
begin
  insert into dispute_covers (dispute_id, campaign_id, developer_id, amount_cents, fee_cents, created_at)
    select new.id, c.id, c.developer_id, new.covered_cents - old.covered_cents,
      coalesce(sum(amount_cents) filter (where t.business_key = kind || '-fee' || place), 0) * case when covers then 1 else -1 end,
      max(t.at)
    from campaigns c join transfers t on t.business_key in (kind || '-pay' || place, kind || '-fee' || place)
    where c.id = new.campaign_id group by c.id;
  return null;
end $$;

-- From here until the end of this file whoever changes a dispute waits, so that each time is noted once: by the trigger, or below.
create trigger disputes_covered after update of covered_cents on disputes for each row
  when (old.covered_cents <> new.covered_cents) execute function note_dispute_cover();

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
  select created_at, null, null, null, null, null, null, null, null, amount_cents, null, null, null, null, null
  from dispute_covers
  union all
  select at, null, null, null, null, null, null, null, null, null, amount_cents, null, null, null, null
  from transfers where credit_account_id = (select id from accounts where kind = 'PLATFORM_REVENUE' and owner_id is null)
  union all
  select joined_at, null, null, null, null, null, null, null, null, null, null, null, 1, (status = 'VERIFIED')::int,
    (status in ('VERIFIED', 'REJECTED', 'DROPPED') and closed_at is not null)::int
  from participations;

create or replace view developer_facts as
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
  select developer_id, created_at, null, null, null, null, null, null, null, amount_cents, null, null, null
  from dispute_covers
  union all
  select c.developer_id, p.joined_at, null, null, null, null, null, null, null, null, 1,
    case when settled then least(p.check_in_count, c.duration_days) end,
    case when settled then greatest(least(p.check_in_count, c.duration_days), least(c.duration_days,
      floor(extract(epoch from coalesce(p.proof_submitted_at, p.closed_at) - p.joined_at) / 86400)))::int end
  from participations p join campaigns c on c.id = p.campaign_id
  cross join lateral (select c.daily_check_in and coalesce(p.proof_submitted_at, p.closed_at) is not null as settled) s;

-- What was covered before there were such rows, from its transfers.
insert into dispute_covers (dispute_id, campaign_id, developer_id, amount_cents, fee_cents, created_at)
  select d.id, c.id, c.developer_id, sum(cents), coalesce(sum(cents) filter (where is_fee), 0), max(at)
  from disputes d join campaigns c on c.id = d.campaign_id
  join lateral (
    select at, case when starts_with(business_key, 'covered-') then amount_cents else -amount_cents end as cents,
      split_part(business_key, ':', 1) in ('covered-fee', 'uncovered-fee') as is_fee,
      regexp_replace(business_key, '-(pay|fee):', ':') as place
    from transfers where campaign_id = d.campaign_id and split_part(business_key, ':', 2) = d.id::text
      and split_part(business_key, ':', 1) in ('covered-pay', 'covered-fee', 'uncovered-pay', 'uncovered-fee')
  ) moved on true
  group by d.id, c.id, moved.place order by max(at);
