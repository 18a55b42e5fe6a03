-- The answer of a function that may have made this refund: 'REFUNDED' instead of 'OK' if it did, so that a payout is requested
-- only then.
create or replace function after_refund(p_outcome text, p_refund uuid) returns text language plpgsql volatile as $$
begin
  return case when p_outcome = 'OK' and exists (select from refunds where id = p_refund) then 'REFUNDED' else p_outcome end;
end $$;
