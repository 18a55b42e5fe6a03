-- Refunds what one campaign holds beyond p_owed_pay and p_owed_fee.
create or replace function refund_surplus(p_refund uuid, p_campaign uuid, p_owed_pay bigint, p_owed_fee bigint,
  p_now timestamptz) returns void language plpgsql as $$
begin
  perform refund_surpluses(array[p_refund], array[p_campaign], array[p_owed_pay], array[p_owed_fee], p_now);
end $$;
