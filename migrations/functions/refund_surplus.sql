-- Gives back what a campaign holds beyond p_owed_pay and p_owed_fee, divided over its payments: the newest first, and
-- never more than is left of each. The money is in transit until settle_refund_part. The caller holds the campaign's row.
create or replace function refund_surplus(p_refund uuid, p_campaign uuid, p_owed_pay bigint, p_owed_fee bigint,
  p_now timestamptz) returns void language plpgsql as $$
declare
  c campaigns;
  escrow bigint := account_of('CAMPAIGN_ESCROW', p_campaign);
  held_fee bigint := account_of('CAMPAIGN_FEE', p_campaign);
  in_transit bigint := account_of('REFUNDS_IN_TRANSIT', null);
  back_pay bigint;
  back_fee bigint;
  undivided bigint;
begin
  select * into strict c from campaigns where id = p_campaign;
  select greatest(balance_cents - p_owed_pay, 0) into strict back_pay from accounts where id = escrow for update;
  select greatest(balance_cents - p_owed_fee, 0) into strict back_fee from accounts where id = held_fee for update;
  if back_pay + back_fee = 0 then return; end if;

  insert into refunds (id, campaign_id, developer_id, amount_cents, status, created_at)
    values (p_refund, p_campaign, c.developer_id, back_pay + back_fee, 'PENDING', p_now);
  with payment as (
    select p.id, p.seq, p.counterparty,
      p.amount_cents - coalesce((select sum(amount_cents) from refund_parts where payment_id = p.id), 0) as left_cents
    from payments p where p.campaign_id = p_campaign and p.status = 'COMPLETED'
  ),
  newest_first as (
    select *, coalesce(sum(left_cents) over (order by seq desc rows between unbounded preceding and 1 preceding), 0) as before
    from payment where left_cents > 0
  ),
  divided as (
    insert into refund_parts (refund_id, payment_id, counterparty, amount_cents, status)
      select p_refund, id, counterparty, least(left_cents, back_pay + back_fee - before), 'PENDING'
      from newest_first where before < back_pay + back_fee returning amount_cents
  )
  select back_pay + back_fee - coalesce(sum(amount_cents), 0) into undivided from divided;
  if undivided > 0 then raise exception '% cents of refund % belong to no payment', undivided, p_refund; end if;
  perform post_transfer('refund-pay:' || p_refund, escrow, in_transit, back_pay, p_campaign, p_now);
  perform post_transfer('refund-fee:' || p_refund, held_fee, in_transit, back_fee, p_campaign, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
    values (c.developer_id, 'CREDIT', 'PENDING', back_pay + back_fee, 'Refund', p_campaign, p_refund, p_now);
  update campaigns set funded_cents = funded_cents - back_pay, fee_cents = fee_cents - back_fee where id = p_campaign;
end $$;
