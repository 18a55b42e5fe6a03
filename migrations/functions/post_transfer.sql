-- Moves p_amount cents from one account to another; see post_transfers.
create or replace function post_transfer(p_key text, p_debit bigint, p_credit bigint, p_amount bigint, p_campaign uuid,
  p_now timestamptz) returns void language plpgsql as $$
begin
  perform post_transfers(array[p_key], array[p_debit], array[p_credit], array[p_amount], array[p_campaign], p_now);
end $$;
