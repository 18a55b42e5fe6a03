-- Moves p_amount cents from one account to another: the only writer of transfers and balances. A business key is used
-- once: posting it again with the same terms does nothing, with other terms it fails. Nothing to move is no transfer.
-- A balance that would fall below zero violates its CHECK (23514) and undoes the whole transaction.
create or replace function post_transfer(p_key text, p_debit bigint, p_credit bigint, p_amount bigint, p_campaign uuid,
  p_now timestamptz) returns void language plpgsql as $$
declare earlier transfers;
begin
  if p_amount = 0 then return; end if;
  insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, campaign_id, at)
    values (p_key, p_debit, p_credit, p_amount, p_campaign, p_now) on conflict (business_key) do nothing;
  if not found then
    select * into strict earlier from transfers where business_key = p_key;
    if (earlier.debit_account_id, earlier.credit_account_id, earlier.amount_cents) is distinct from
       (p_debit, p_credit, p_amount) then
      raise exception 'transfer % was posted before with other terms', p_key;
    end if;
    return;
  end if;
  update accounts set balance_cents = balance_cents - p_amount where id = p_debit and balance_cents is not null;
  update accounts set balance_cents = balance_cents + p_amount where id = p_credit and balance_cents is not null;
end $$;
