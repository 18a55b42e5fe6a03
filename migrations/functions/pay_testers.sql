-- Pays testers from a campaign's escrow, each with the line on their statement. The caller holds the campaign's row.
create or replace function pay_testers(p_keys text[], c campaigns, p_testers uuid[], p_amounts bigint[],
  p_descriptions text[], p_now timestamptz) returns void language plpgsql as $$
declare
  keys text[];
  testers uuid[];
  amounts bigint[];
begin
  select array_agg(key order by place), array_agg(tester order by place), array_agg(amount order by place)
    into keys, testers, amounts
    from unnest(p_keys, p_testers, p_amounts) with ordinality given (key, tester, amount, place) where amount <> 0;
  if keys is null then return; end if;
  perform post_transfers(keys, array_fill(account_of('CAMPAIGN_ESCROW', c.id), array[cardinality(keys)]),
    accounts_of('TESTER_BALANCE', testers), amounts, array_fill(c.id, array[cardinality(keys)]), p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, created_at)
    select tester, 'CREDIT', 'COMPLETED', amount, description, c.id, p_now
    from unnest(p_testers, p_amounts, p_descriptions) with ordinality given (tester, amount, description, place)
    where amount <> 0 order by place;
end $$;
