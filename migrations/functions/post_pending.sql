-- Moves p_amount cents to where they wait for a provider's answer; resolve_pending ends the wait.
create or replace function post_pending(p_key text, p_debit bigint, p_credit bigint, p_amount bigint, p_campaign uuid,
  p_now timestamptz) returns void language plpgsql as $$
begin
  perform post_phases(array[p_key], array[p_debit], array[p_credit], array[p_amount], array[p_campaign], array['PENDING'], null,
    p_now);
end $$;
