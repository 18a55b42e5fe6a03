-- Pays testers from the escrow of campaigns, each with a line on their statement. The caller has locked the campaigns' rows.
create or replace function pay_testers(p_keys text[], p_campaigns uuid[], p_testers uuid[], p_amounts bigint[],
  p_descriptions text[], p_now timestamptz) returns void language plpgsql as $$
declare
  keys text[];
  campaigns uuid[];
  testers uuid[];
  amounts bigint[];
begin
  select array_agg(key order by place), array_agg(campaign order by place), array_agg(tester order by place),
      array_agg(amount order by place) into keys, campaigns, testers, amounts
    from unnest(p_keys, p_campaigns, p_testers, p_amounts) with ordinality given (key, campaign, tester, amount, place)
    where amount <> 0;
  if keys is null then return; end if;
  perform post_transfers(keys, accounts_of('CAMPAIGN_ESCROW', campaigns), accounts_of('TESTER_BALANCE', testers), amounts,
    campaigns, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, created_at)
    select tester, 'CREDIT', 'COMPLETED', amount, description, campaign, p_now
    from unnest(p_testers, p_amounts, p_descriptions, p_campaigns) with ordinality
      given (tester, amount, description, campaign, place)
    where amount <> 0 order by place;
end $$;
