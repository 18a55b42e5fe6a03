-- Pays a tester from a campaign's escrow, with the line on the tester's statement. The caller holds the campaign's row.
create or replace function pay_tester(p_key text, c campaigns, p_tester uuid, p_amount bigint, p_description text,
  p_now timestamptz) returns void language plpgsql as $$
begin
  perform pay_testers(array[p_key], c, array[p_tester], array[p_amount], array[p_description], p_now);
end $$;
