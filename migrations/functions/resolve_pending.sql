-- Ends the pending transfer p_resolved: a POST moves its money on to p_credit, a VOID back to where it came from.
create or replace function resolve_pending(p_key text, p_phase text, p_resolved text, p_debit bigint, p_credit bigint,
  p_amount bigint, p_campaign uuid, p_now timestamptz) returns void language plpgsql as $$
begin
  perform post_phases(array[p_key], array[p_debit], array[p_credit], array[p_amount], array[p_campaign], array[p_phase],
    array[p_resolved], p_now);
end $$;
