-- Part of what was settled with a developer for a lost dispute is no longer owed, because the campaign's money, a refund or the bank
-- paid it after all. The operator has to give back, by other means, as much of it as the developer had paid; what was waived needs
-- nothing. The caller has locked the campaign's row, and changes what the dispute is covered by afterwards.
create or replace function unsettle_debt(p_dispute uuid, p_cents bigint, p_now timestamptz) returns void language plpgsql as $$
declare
  d disputes;
  paid bigint;
  ever bigint;
begin
  if p_cents <= 0 then return; end if;
  select * into strict d from disputes where id = p_dispute;
  paid := least(p_cents, d.settled_cents - d.waived_cents);
  update disputes set settled_cents = settled_cents - p_cents, waived_cents = waived_cents - (p_cents - paid),
    give_back_cents = give_back_cents + paid,
    give_back_since = case when paid > 0 then coalesce(give_back_since, p_now) else give_back_since end where id = d.id;
  -- All that ever was settled and is no longer owed: it grows with each call, so the key is new.
  ever := (select sum(amount_cents) from dispute_settlements where dispute_id = d.id and kind <> 'GIVEN_BACK')
    - (d.settled_cents - p_cents);
  perform post_transfer('debt-unsettled:' || d.id || ':' || ever, account_of('DISPUTES_RECEIVABLE', null),
    account_of('PAID_OUTSIDE', null), p_cents, d.campaign_id, p_now);
end $$;
