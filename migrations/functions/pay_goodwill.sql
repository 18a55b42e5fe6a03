-- The platform pays a tester from its own revenue, because nobody decided on the appeal in time. The test is verified, but its
-- seat counts as closed: the pay and the fee that the campaign held for it are refunded to the developer as p_refund.
create or replace function pay_goodwill(p_participation uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  due record;
begin
  perform from campaigns where id = (select campaign_id from participations where id = p_participation) for update;
  select p.tester_id, p.campaign_id, c.pay_per_tester_cents as pay into due
    from participations p join campaigns c on c.id = p.campaign_id
    where p.id = p_participation and p.status = 'APPEALED' for update of p;
  if not found then
    return case when exists (select from participations where id = p_participation) then 'WRONG_STATE' else 'NOT_FOUND' end;
  end if;
  update appeals set outcome = 'PLATFORM', decided_at = p_now, wake_at = null, held_for = null
    where participation_id = p_participation;
  perform post_transfer('appeal-goodwill:' || p_participation, account_of('PLATFORM_REVENUE', null),
    account_of('TESTER_BALANCE', due.tester_id), due.pay, due.campaign_id, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, created_at)
    values (due.tester_id, 'CREDIT', 'COMPLETED', due.pay, 'Verified test, paid by the platform', due.campaign_id, p_now);
  update participations set status = 'VERIFIED', reviewed_at = p_now, reviewed_by = null, closed_at = p_now, wake_at = null,
    at_risk = false where id = p_participation;
  update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = due.campaign_id;
  perform close_seats(array[due.campaign_id], array[p_participation], array[p_refund], p_now);
  return 'OK';
end $$;
