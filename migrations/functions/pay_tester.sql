-- Pays a tester from a campaign's escrow, with the line on the tester's statement. The caller holds the campaign's row.
create or replace function pay_tester(p_key text, c campaigns, p_tester uuid, p_amount bigint, p_description text,
  p_now timestamptz) returns void language plpgsql as $$
begin
  if p_amount = 0 then return; end if;
  perform post_transfer(p_key, account_of('CAMPAIGN_ESCROW', c.id), account_of('TESTER_BALANCE', p_tester),
    p_amount, c.id, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, created_at)
    values (p_tester, 'CREDIT', 'COMPLETED', p_amount, p_description, c.id, p_now);
end $$;
