-- Refunds what one campaign no longer owes.
create or replace function refund_unused(p_refund uuid, p_campaign uuid, p_now timestamptz)
  returns void language plpgsql as $$
begin
  perform refund_all_unused(array[p_refund], array[p_campaign], p_now);
end $$;
