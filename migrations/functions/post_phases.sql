-- Moves amounts of cents between accounts, and is the only writer of transfers and balances. A business key is used once: posting
-- it again with the same terms does nothing, with other terms it fails. An amount of zero makes no transfer. A balance that would
-- fall below zero violates its CHECK (23514) and undoes the whole transaction.
-- p_phases and p_resolved may be null: then all are SINGLE. A POST or VOID names the business key of the pending transfer that it
-- resolves; one from before there were phases is resolved by a SINGLE.
-- Accounts are locked before their transfers get ids, so that the ids of one account's transfers are in the order of their
-- commits (decision 056). They are locked in the order of their own ids, so that two callers who pay the same people do not
-- deadlock.
-- Runs with the rights of the tables' owner, whoever calls it, and finds them where nobody else can put other ones.
create or replace function post_phases(p_keys text[], p_debits bigint[], p_credits bigint[], p_amounts bigint[],
  p_campaigns uuid[], p_phases text[], p_resolved text[], p_now timestamptz) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  fresh text[];
  other_terms text;
begin
  perform set_config('fieldtest.posting', 'on', true), pg_current_xact_id();
  perform from accounts where id = any (p_debits || p_credits) and balance_cents is not null order by id for no key update;
  if p_resolved is null then
    with posted as (
      insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, campaign_id, phase, at)
        select key, debit, credit, amount, campaign, coalesce(phase, 'SINGLE'), p_now
        from unnest(p_keys, p_debits, p_credits, p_amounts, p_campaigns, p_phases) with ordinality
          given (key, debit, credit, amount, campaign, phase, place)
        where amount <> 0 order by place
        on conflict (business_key) do nothing returning business_key
    )
    select coalesce(array_agg(business_key), '{}') into fresh from posted;
  else
    select given.key into other_terms
      from unnest(p_keys, p_debits, p_credits, p_amounts, p_phases, p_resolved) given (key, debit, credit, amount, phase, resolved)
      left join transfers pending on pending.business_key = given.resolved
      where given.amount <> 0 and (pending.id is null or pending.phase not in ('PENDING', 'SINGLE')
        or pending.amount_cents <> given.amount or pending.credit_account_id <> given.debit
        or given.phase = 'VOID' and pending.debit_account_id <> given.credit) limit 1;
    if found then raise exception 'transfer % resolves no pending transfer of these terms', other_terms; end if;
    with posted as (
      insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, campaign_id, phase, pending_id, at)
        select key, debit, credit, amount, campaign, case pending.phase when 'PENDING' then given.phase else 'SINGLE' end,
          case pending.phase when 'PENDING' then pending.id end, p_now
        from unnest(p_keys, p_debits, p_credits, p_amounts, p_campaigns, p_phases, p_resolved) with ordinality
          given (key, debit, credit, amount, campaign, phase, resolved, place)
          join transfers pending on pending.business_key = given.resolved
        where amount <> 0 order by place
        on conflict (business_key) do nothing returning business_key
    )
    select coalesce(array_agg(business_key), '{}') into fresh from posted;
  end if;
  if cardinality(fresh) < cardinality(array_remove(p_amounts, 0)) then
    select given.key into other_terms
      from unnest(p_keys, p_debits, p_credits, p_amounts) given (key, debit, credit, amount)
      join transfers t on t.business_key = given.key
      where given.amount <> 0 and (t.debit_account_id, t.credit_account_id, t.amount_cents) is distinct from
        (given.debit, given.credit, given.amount) limit 1;
    if found then raise exception 'transfer % was posted before with other terms', other_terms; end if;
  end if;

  if fresh <> '{}' then
    update accounts set balance_cents = balance_cents + moved.cents
      from (
        select account, sum(cents)::bigint as cents
        from unnest(p_keys, p_debits, p_credits, p_amounts) given (key, debit, credit, amount)
          cross join lateral (values (debit, -amount), (credit, amount)) side (account, cents)
        where given.key = any (fresh) group by account
      ) moved
      where accounts.id = moved.account and accounts.balance_cents is not null;
  end if;
  perform set_config('fieldtest.posting', '', true);
end $$;
