-- Accepts one proof.
create or replace function verify_participation(p_participation uuid, p_reviewer uuid, p_now timestamptz)
  returns text language plpgsql as $$
begin
  if cardinality(verify_participations(array[p_participation], p_reviewer, p_now)) = 1 then return 'OK'; end if;
  return case when exists (select from participations where id = p_participation) then 'WRONG_STATE' else 'NOT_FOUND' end;
end $$;
