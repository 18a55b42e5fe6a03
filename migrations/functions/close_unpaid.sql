-- Closes one participation without pay.
create or replace function close_unpaid(p_participation uuid, p_from text[], p_to text, p_drop_reason text, p_when_due boolean,
  p_refund uuid, p_now timestamptz) returns text language plpgsql as $$
begin
  if cardinality(close_all_unpaid(array[p_participation], p_from, p_to, array[p_drop_reason], p_when_due,
    array[p_refund], p_now)) = 1 then return 'OK'; end if;
  return case when exists (select from participations where id = p_participation) then 'WRONG_STATE' else 'NOT_FOUND' end;
end $$;
