-- Pays testers in full: the pay goes to each tester, the seat's share of the fee to the platform. A campaign's last seat takes
-- the rounding, but nothing that a dispute keeps there of closed seats. The caller has locked the rows of the campaigns and
-- participations, and has checked that they are due.
create or replace function pay_verified(p_participations uuid[], p_reviewer uuid, p_now timestamptz)
  returns void language plpgsql as $$
declare
  due uuid[];
  testers uuid[];
  their_campaigns uuid[];
  pays bigint[];
  fee_accounts bigint[];
  fee_shares bigint[];
begin
  -- A campaign without a fee may not have this account yet.
  perform accounts_of('CAMPAIGN_FEE', array(select campaign_id from participations where id = any (p_participations)));
  select array_agg(p.id), array_agg(p.tester_id), array_agg(c.id), array_agg(c.pay_per_tester_cents), array_agg(fee.id),
      array_agg(case when c.verified_testers + c.closed_seats + p.place = c.testers_required
        then c.quoted_fee_cents - (c.testers_required - 1) * (c.quoted_fee_cents / c.testers_required)
        else c.quoted_fee_cents / c.testers_required end)
    into due, testers, their_campaigns, pays, fee_accounts, fee_shares
    from (select *, row_number() over (partition by campaign_id order by id) as place from participations
        where id = any (p_participations)) p
      join campaigns c on c.id = p.campaign_id
      join accounts fee on fee.kind = 'CAMPAIGN_FEE' and fee.owner_id = c.id;
  perform pay_testers(array(select 'verify-pay:' || unnest(due)), their_campaigns, testers, pays,
    array_fill('Verified test'::text, array[cardinality(due)]), p_now);
  perform post_transfers(array(select 'verify-fee:' || unnest(due)), fee_accounts,
    array_fill(account_of('PLATFORM_REVENUE', null), array[cardinality(due)]), fee_shares, their_campaigns, p_now);
  update participations set status = 'VERIFIED', reviewed_at = p_now, reviewed_by = p_reviewer, closed_at = p_now,
    wake_at = null, at_risk = false where id = any (p_participations);
  update campaigns c set open_testers = open_testers - seats, verified_testers = verified_testers + seats
    from (select campaign_id, count(*) as seats from participations where id = any (p_participations) group by campaign_id) verified
    where c.id = verified.campaign_id;
end $$;
