-- Ends the test of one tester who waited in vain to be listed.
create or replace function close_waiting_seat(p_participation uuid, p_when_due boolean, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
begin
  if cardinality(close_waiting_seats(array[p_participation], p_when_due, array[p_refund], p_now)) = 1 then return 'OK'; end if;
  return case when exists (select from participations where id = p_participation) then 'WRONG_STATE' else 'NOT_FOUND' end;
end $$;
