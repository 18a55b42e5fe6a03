-- Ends a campaign early. Testers who are still testing get floor(pay × days done / duration), and those who waited 7 days or
-- more to be listed one day's pay. Submitted proofs are still reviewed, and the rest is refunded to the developer.
create or replace function cancel_campaign(p_campaign uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  ended int;
  keys text[];
  campaigns uuid[];
  testers uuid[];
  amounts bigint[];
  descriptions text[];
begin
  select * into c from campaigns where id = p_campaign for update;
  if not found then return 'NOT_FOUND'; end if;
  if c.status in ('COMPLETED', 'CANCELLED') then return 'WRONG_STATE'; end if;
  perform from participations where campaign_id = c.id and status = 'ACTIVE' order by id for update;
  get diagnostics ended = row_count;

  with done as materialized (
    select id, waited, case when waited then 1 else days_tested(c, p, p_now) end as days
    from participations p cross join lateral (
      select waits_to_be_listed(c, p) and after_downtimes(waits_since(p), 168) <= p_now as waited offset 0) w
    where campaign_id = c.id and status = 'ACTIVE'
  ),
  paid as (
    update participations p set status = 'CANCELLED', payout_amount_cents = c.pay_per_tester_cents * days / c.duration_days,
      closed_at = p_now, wake_at = null, at_risk = false
    from done where p.id = done.id returning p.id, p.tester_id, p.payout_amount_cents as cents, waited, days
  )
  select array_agg(case when waited then 'waiting-pay:' else 'cancel-pay:' end || id order by id),
      array_agg(c.id), array_agg(tester_id order by id), array_agg(cents order by id),
      array_agg(case when waited then 'Waited to be let in'
        else format('Cancelled test, %s of %s days', days, c.duration_days) end order by id)
    into keys, campaigns, testers, amounts, descriptions from paid;
  perform pay_testers(keys, campaigns, testers, amounts, descriptions, p_now);

  update campaigns set open_testers = open_testers - ended, seats_taken = seats_taken - ended, status = 'CANCELLED',
    status_changed_at = p_now, closed_at = p_now, rejection_reason = null where id = c.id;
  perform refund_unused(p_refund, c.id, p_now);
  return 'OK';
end $$;
