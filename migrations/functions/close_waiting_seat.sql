-- Ends a test whose tester waited 7 days or more in vain to be put on the list: one day's pay for the tester, once, and
-- the seat is closed. p_when_due: only after 14 days, when the clock ends it, so that being listed in the same second wins.
create or replace function close_waiting_seat(p_participation uuid, p_when_due boolean, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
begin
  select campaigns.* into c from campaigns join participations on participations.campaign_id = campaigns.id
    where participations.id = p_participation for update of campaigns;
  if not found then return 'NOT_FOUND'; end if;
  select * into strict p from participations where id = p_participation for update;
  if not waits_to_be_listed(c, p) or p.joined_at + make_interval(hours => case when p_when_due then 336 else 168 end) > p_now
    then return 'WRONG_STATE'; end if;

  perform pay_waiting(c, p, p_now);
  update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = c.id;
  perform close_seat(c.id, p.id, p_refund, p_now);
  return 'OK';
end $$;
