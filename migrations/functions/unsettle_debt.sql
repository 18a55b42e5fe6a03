-- Part of what a developer settled for a lost dispute is no longer owed, because the campaign's money, a refund or the bank paid it
-- after all: the operator has to give that much back, by other means. The caller has locked the campaign's row, and changes what
-- the dispute is covered by afterwards.
create or replace function unsettle_debt(p_dispute uuid, p_cents bigint, p_now timestamptz) returns void language plpgsql as $$
declare
  d disputes;
  ever bigint;
begin
  if p_cents <= 0 then return; end if;
  update disputes set settled_cents = settled_cents - p_cents, give_back_cents = give_back_cents + p_cents,
    give_back_since = coalesce(give_back_since, p_now) where id = p_dispute returning * into strict d;
  ever := d.give_back_cents
    + (select coalesce(sum(amount_cents), 0) from dispute_settlements where dispute_id = d.id and kind = 'GIVEN_BACK');
  perform post_transfer('debt-unsettled:' || d.id || ':' || ever, account_of('DISPUTES_RECEIVABLE', null),
    account_of('PAID_OUTSIDE', null), p_cents, d.campaign_id, p_now);
end $$;
