-- Check-ins are expected of the days that the tester's own figure counts (src/reputation): up to the campaign's duration, which ends
-- when the proof is allowed, and none where the days have not begun. Those between joining and the opt-in were expected too.
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
        coalesce(new.proof_submitted_at, new.closed_at), new.proof_allowed_at),
      (old.joined_at, old.closed_at, old.status = 'VERIFIED',
        old.status in ('VERIFIED', 'REJECTED', 'DROPPED') and old.closed_at is not null, -1, old.check_in_count,
        coalesce(old.proof_submitted_at, old.closed_at), old.proof_allowed_at)
    ) test (joined_at, closed_at, is_verified, is_ended, times, check_in_count, settled_at, proof_allowed_at)
    -- Both are null, and so is their greatest, unless check-ins of a settled test count.
    cross join lateral (select case when c.daily_check_in and settled_at is not null
        then least(check_in_count, c.duration_days) end as done,
      case when c.daily_check_in and settled_at is not null and proof_allowed_at is not null then c.duration_days
        + least(0, floor(extract(epoch from settled_at - proof_allowed_at) / 86400))::int end as days) check_ins
    where joined_at is not null;
  return null;
end $$;

-- Replacing it also waits for whoever was counted by the body of before: the next file counts what they have written.
create or replace trigger participations_counted_again after update on participations for each row
  when (old.closed_at is distinct from new.closed_at or old.proof_submitted_at is distinct from new.proof_submitted_at
    or old.joined_at <> new.joined_at
    or ((old.check_in_count <> new.check_in_count or old.proof_allowed_at is distinct from new.proof_allowed_at)
      and (new.proof_submitted_at is not null or new.closed_at is not null)))
  execute function count_participation();

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
    case when settled then greatest(least(p.check_in_count, c.duration_days), case when p.proof_allowed_at is not null
      then c.duration_days
        + least(0, floor(extract(epoch from coalesce(p.proof_submitted_at, p.closed_at) - p.proof_allowed_at) / 86400))::int
      end) end
  from participations p join campaigns c on c.id = p.campaign_id
  cross join lateral (select c.daily_check_in and coalesce(p.proof_submitted_at, p.closed_at) is not null as settled) s;
