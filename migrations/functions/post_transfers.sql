-- Moves amounts of cents for good, in one phase; see post_phases.
create or replace function post_transfers(p_keys text[], p_debits bigint[], p_credits bigint[], p_amounts bigint[],
  p_campaigns uuid[], p_now timestamptz) returns void language plpgsql as $$
begin
  perform post_phases(p_keys, p_debits, p_credits, p_amounts, p_campaigns, null, null, p_now);
end $$;
