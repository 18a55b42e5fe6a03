-- The answer of a function that may have made this refund: 'REFUNDED' instead of 'OK' when it did, so that only then somebody is
-- asked to pay it out.
create or replace function after_refund(p_outcome text, p_refund uuid) returns text language plpgsql volatile as $$
begin
  return case when p_outcome = 'OK' and exists (select from refunds where id = p_refund) then 'REFUNDED' else p_outcome end;
end $$;
