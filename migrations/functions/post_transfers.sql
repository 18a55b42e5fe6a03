-- Moves amounts of cents, each from one account to another: the only writer of transfers and balances. A business key is
-- used once: posting it again with the same terms does nothing, with other terms it fails. Nothing to move is no transfer.
-- A balance that would fall below zero violates its CHECK (23514) and undoes the whole transaction.
-- The accounts are locked in the order of their ids, so that two who pay the same people do not wait for each other.
create or replace function post_transfers(p_keys text[], p_debits bigint[], p_credits bigint[], p_amounts bigint[],
  p_campaigns uuid[], p_now timestamptz) returns void language plpgsql as $$
declare
  fresh text[];
  other_terms text;
begin
  with posted as (
    insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, campaign_id, at)
      select key, debit, credit, amount, campaign, p_now
      from unnest(p_keys, p_debits, p_credits, p_amounts, p_campaigns) with ordinality
        given (key, debit, credit, amount, campaign, place)
      where amount <> 0 order by place
      on conflict (business_key) do nothing returning business_key
  )
  select coalesce(array_agg(business_key), '{}') into fresh from posted;
  if cardinality(fresh) < cardinality(array_remove(p_amounts, 0)) then
    select given.key into other_terms
      from unnest(p_keys, p_debits, p_credits, p_amounts) given (key, debit, credit, amount)
      join transfers t on t.business_key = given.key
      where given.amount <> 0 and (t.debit_account_id, t.credit_account_id, t.amount_cents) is distinct from
        (given.debit, given.credit, given.amount) limit 1;
    if found then raise exception 'transfer % was posted before with other terms', other_terms; end if;
  end if;
  if fresh = '{}' then return; end if;

  perform from accounts where id = any (p_debits || p_credits) and balance_cents is not null order by id for no key update;
  update accounts set balance_cents = balance_cents + moved.cents
    from (
      select account, sum(cents)::bigint as cents
      from unnest(p_keys, p_debits, p_credits, p_amounts) given (key, debit, credit, amount)
        cross join lateral (values (debit, -amount), (credit, amount)) side (account, cents)
      where given.key = any (fresh) group by account
    ) moved
    where accounts.id = moved.account and accounts.balance_cents is not null;
end $$;
