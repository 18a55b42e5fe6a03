-- The owner closes a seat that nobody has and nobody is promised.
create or replace function close_free_seat(p_campaign uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare c campaigns;
begin
  select * into c from campaigns where id = p_campaign for update;
  if not found then return 'NOT_FOUND'; end if;
  if c.status not in ('LIVE', 'PAUSED') or c.seats_taken + c.closed_seats + c.offered_seats
      + (select count(*) from promises_of_seats(c.id) until where until > p_now) >= c.testers_required then
    return 'WRONG_STATE';
  end if;
  perform close_seats(array[c.id], array[null::uuid], array[p_refund], p_now);
  return 'OK';
end $$;
