-- Refunds what campaigns hold beyond what they owe, each with the refund id at its position, divided over its payments: the
-- newest first, and never more than is left of each. The money is in transit until settle_refund_part. Each campaign appears
-- once, and the caller has locked its row. While a dispute about its payments is open, nothing is refunded; settle_disputed makes
-- up for it. What banks took back of the payments is kept first.
create or replace function refund_surpluses(p_refunds uuid[], p_campaigns uuid[], p_owed_pay bigint[], p_owed_fee bigint[],
  p_now timestamptz) returns void language plpgsql as $$
declare
  made uuid[];
  their_campaigns uuid[];
  escrows bigint[];
  held_fees bigint[];
  pays bigint[];
  fees bigint[];
  short record;
  covered record;
begin
  perform lock_accounts(accounts_of('CAMPAIGN_ESCROW', p_campaigns) || accounts_of('CAMPAIGN_FEE', p_campaigns));
  select array_agg(refund), array_agg(campaign), array_agg(escrow), array_agg(held_fee), array_agg(pay), array_agg(fee)
    into made, their_campaigns, escrows, held_fees, pays, fees
    from (
      select refund, campaign, e.id as escrow, f.id as held_fee, greatest(e.balance_cents - owed_pay, 0) as pay,
        greatest(f.balance_cents - owed_fee, 0) as fee
      from unnest(p_refunds, p_campaigns, p_owed_pay, p_owed_fee) given (refund, campaign, owed_pay, owed_fee)
        join accounts e on e.kind = 'CAMPAIGN_ESCROW' and e.owner_id = campaign
        join accounts f on f.kind = 'CAMPAIGN_FEE' and f.owner_id = campaign
        join campaigns on campaigns.id = campaign and disputed_since is null
    ) back where pay + fee > 0;
  if made is null then return; end if;
  if exists (select from campaigns where id = any (their_campaigns) and dispute_lost_at is not null) then
    for place in 1 .. cardinality(made) loop
      select * into covered from cover_disputes(their_campaigns[place], pays[place], fees[place], p_now);
      pays[place] := pays[place] - covered.pay;
      fees[place] := fees[place] - covered.fee;
    end loop;
    select array_agg(refund), array_agg(campaign), array_agg(escrow), array_agg(held_fee), array_agg(pay), array_agg(fee)
      into made, their_campaigns, escrows, held_fees, pays, fees
      from unnest(made, their_campaigns, escrows, held_fees, pays, fees) back (refund, campaign, escrow, held_fee, pay, fee)
      where pay + fee > 0;
    if made is null then return; end if;
  end if;

  insert into refunds (id, campaign_id, developer_id, amount_cents, status, created_at)
    select refund, c.id, c.developer_id, pay + fee, 'PENDING', p_now
    from unnest(made, their_campaigns, pays, fees) back (refund, campaign, pay, fee) join campaigns c on c.id = campaign;
  with payment as (
    select refund, pay + fee as back_cents, p.id, p.seq, p.counterparty,
      p.amount_cents - coalesce((select sum(amount_cents) from refund_parts where payment_id = p.id), 0)
        - coalesce((select sum(amount_cents - set_off_cents) from disputes where payment_id = p.id and status = 'LOST'), 0) as left_cents
    from unnest(made, their_campaigns, pays, fees) back (refund, campaign, pay, fee)
      join payments p on p.campaign_id = campaign and p.status = 'COMPLETED'
        -- Leaves out the payment that is being booked, because it replaces older ones.
        and not exists (select from charges where id = p.id and status = 'PENDING')
  ),
  newest_first as (
    select *, coalesce(sum(left_cents) over
      (partition by refund order by seq desc rows between unbounded preceding and 1 preceding), 0) as before
    from payment where left_cents > 0
  ),
  divided as (
    insert into refund_parts (refund_id, payment_id, counterparty, amount_cents, status)
      select refund, id, counterparty, least(left_cents, back_cents - before), 'PENDING'
      from newest_first where before < back_cents returning refund_id, amount_cents
  )
  select refund, pay + fee - coalesce(sum(amount_cents), 0) as cents into short
    from unnest(made, pays, fees) back (refund, pay, fee) left join divided on refund_id = refund
    group by refund, pay, fee having pay + fee > coalesce(sum(amount_cents), 0) limit 1;
  if found then raise exception '% cents of refund % belong to no payment', short.cents, short.refund; end if;
  perform post_transfers(array(select 'refund-pay:' || unnest(made)) || array(select 'refund-fee:' || unnest(made)),
    escrows || held_fees, array_fill(account_of('REFUNDS_OWED', null), array[2 * cardinality(made)]), pays || fees,
    their_campaigns || their_campaigns, p_now);
  perform begin_refunds(made, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
    select developer_id, 'CREDIT', 'PENDING', amount_cents, 'Refund', campaign_id, id, p_now from refunds where id = any (made);
  update campaigns set funded_cents = funded_cents - pay, fee_cents = fee_cents - fee
    from unnest(their_campaigns, pays, fees) back (campaign, pay, fee) where campaigns.id = campaign;
end $$;
