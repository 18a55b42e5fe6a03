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
  payment record;
begin
  select * into strict c from campaigns where id = p_campaign;
  select greatest(balance_cents - p_owed_pay, 0) into strict back_pay from accounts where id = escrow for update;
  select greatest(balance_cents - p_owed_fee, 0) into strict back_fee from accounts where id = held_fee for update;
  if back_pay + back_fee = 0 then return; end if;

  insert into refunds (id, campaign_id, developer_id, amount_cents, status, created_at)
    values (p_refund, p_campaign, c.developer_id, back_pay + back_fee, 'PENDING', p_now);
  undivided := back_pay + back_fee;
  for payment in select id, counterparty,
      amount_cents - coalesce((select sum(amount_cents) from refund_parts where payment_id = payments.id), 0) as left_cents
    from payments where campaign_id = p_campaign and status = 'COMPLETED' order by seq desc
  loop
    continue when payment.left_cents <= 0;
    insert into refund_parts (refund_id, payment_id, counterparty, amount_cents, status)
      values (p_refund, payment.id, payment.counterparty, least(payment.left_cents, undivided), 'PENDING');
    undivided := undivided - least(payment.left_cents, undivided);
    exit when undivided = 0;
  end loop;
  if undivided > 0 then raise exception '% cents of refund % belong to no payment', undivided, p_refund; end if;
  perform post_transfer('refund-pay:' || p_refund, escrow, in_transit, back_pay, p_campaign, p_now);
  perform post_transfer('refund-fee:' || p_refund, held_fee, in_transit, back_fee, p_campaign, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
    values (c.developer_id, 'CREDIT', 'PENDING', back_pay + back_fee, 'Refund', p_campaign, p_refund, p_now);
  update campaigns set funded_cents = funded_cents - back_pay, fee_cents = fee_cents - back_fee where id = p_campaign;
end $$;
