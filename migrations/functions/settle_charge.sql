-- Books the provider's answer to a charge. PAID posts its money to the campaign, which then awaits approval; for a renewal, as
-- much of the older payments is refunded as p_refund. If the campaign no longer wants the charge, or a bank has taken back an
-- earlier payment of the developer since it was begun, all of it is refunded.
-- REFUSED (with a sentence in p_failure) and EXPIRED void it; only a refusal of a charge that was still wanted appears on the
-- statement.
-- PAID for a charge that was given up because nobody found it at the provider: all of it is refunded as well.
-- p_fee is what the provider kept for itself.
-- Locks the campaign's row before the charge, as everywhere. WRONG_STATE: somebody else has settled it. RETURNED: a refund was
-- made, of this payment or of older ones.
create or replace function settle_charge(p_charge uuid, p_answer text, p_failure text, p_fee bigint, p_refund uuid,
  p_now timestamptz) returns text language plpgsql as $$
declare
  ch charges;
  c campaigns;
  given_up boolean;
  wanted boolean;
  held_pay bigint;
  held_fee bigint;
  in_transit bigint := account_of('PAYMENTS_IN_TRANSIT', null);
  cash bigint := account_of('PROVIDER_CASH', null);
  of_attempt text := p_charge;
begin
  perform from campaigns where id = (select campaign_id from charges where id = p_charge) for update;
  if not found then return 'NOT_FOUND'; end if;
  select * into strict ch from charges where id = p_charge for update;
  given_up := p_answer = 'PAID' and ch.status = 'CANCELLED';
  if ch.status <> 'PENDING' and not given_up then return 'WRONG_STATE'; end if;
  select * into strict c from campaigns where id = ch.campaign_id;
  wanted := not given_up and ch.ended_at is null and not exists (select from users where id = ch.developer_id and deleted_at is not null)
    and case when ch.renews then renewal_fits(c, ch.pay_cents + ch.fee_cents) else c.status = 'DRAFT' end
    and owed_by_developer(ch.developer_id) = 0;
  update provider_calls set status = case p_answer when 'PAID' then 'DONE' else 'REFUSED' end,
    reason = case p_answer when 'PAID' then null else coalesce(p_failure, 'Nothing was paid in time.') end, settled_at = p_now
    where subject_id = ch.id and status = case when given_up then 'REFUSED' else 'PENDING' end;

  if p_answer <> 'PAID' then
    perform resolve_pending('charge-pay-void:' || ch.id, 'VOID', 'charge-pay:' || ch.id, in_transit, cash, ch.pay_cents,
      c.id, p_now);
    perform resolve_pending('charge-fee-void:' || ch.id, 'VOID', 'charge-fee:' || ch.id, in_transit, cash, ch.fee_cents,
      c.id, p_now);
    if p_answer <> 'REFUSED' or not wanted then
      update charges set status = 'CANCELLED', settled_at = p_now where id = ch.id;
      return 'OK';
    end if;
    update charges set status = 'FAILED', failure_reason = p_failure, settled_at = p_now where id = ch.id;
    insert into payments (id, campaign_id, developer_id, amount_cents, provider, counterparty, status, failure_reason, created_at)
      values (ch.id, c.id, ch.developer_id, ch.pay_cents + ch.fee_cents, ch.provider, ch.counterparty, 'FAILED', p_failure, p_now);
    insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
      values (ch.developer_id, 'DEBIT', 'FAILED', ch.pay_cents + ch.fee_cents, 'Declined payment', c.id, ch.id, p_now);
    return 'OK';
  end if;

  insert into payments (id, campaign_id, developer_id, amount_cents, provider, counterparty, status, provider_fee_cents, created_at)
    values (ch.id, c.id, ch.developer_id, ch.pay_cents + ch.fee_cents, ch.provider, ch.counterparty, 'COMPLETED', p_fee, p_now);
  perform post_transfer('provider-fee:' || ch.id, account_of('PROVIDER_FEES', null), cash, p_fee, c.id, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
    select ch.developer_id, line.type, 'COMPLETED', line.cents, line.description, c.id, ch.id, p_now
    from (values (1, 'DEBIT', ch.pay_cents, 'Testers’ pay'), (2, 'FEE', ch.fee_cents, 'Platform fee'))
      as line (place, type, cents, description)
    where line.cents > 0 order by line.place;
  if not wanted then
    update charges set status = 'RETURNED', settled_at = p_now where id = ch.id;
    if given_up then
      -- The earlier pending transfers were voided.
      of_attempt := ch.id || ':late';
      perform post_pending('charge-pay:' || of_attempt, cash, in_transit, ch.pay_cents, c.id, p_now);
      perform post_pending('charge-fee:' || of_attempt, cash, in_transit, ch.fee_cents, c.id, p_now);
    end if;
    perform resolve_pending('refund-pay:' || p_refund, 'POST', 'charge-pay:' || of_attempt, in_transit,
      account_of('REFUNDS_OWED', null), ch.pay_cents, c.id, p_now);
    perform resolve_pending('refund-fee:' || p_refund, 'POST', 'charge-fee:' || of_attempt, in_transit,
      account_of('REFUNDS_OWED', null), ch.fee_cents, c.id, p_now);
    insert into refunds (id, campaign_id, developer_id, amount_cents, status, created_at)
      values (p_refund, c.id, ch.developer_id, ch.pay_cents + ch.fee_cents, 'PENDING', p_now);
    insert into refund_parts (refund_id, payment_id, counterparty, amount_cents, status)
      values (p_refund, ch.id, ch.counterparty, ch.pay_cents + ch.fee_cents, 'PENDING');
    perform begin_refunds(array[p_refund], p_now);
    insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
      values (ch.developer_id, 'CREDIT', 'PENDING', ch.pay_cents + ch.fee_cents, 'Refund', c.id, p_refund, p_now);
    return 'RETURNED';
  end if;
  perform resolve_pending('fund-pay:' || ch.id, 'POST', 'charge-pay:' || ch.id, in_transit,
    account_of('CAMPAIGN_ESCROW', c.id), ch.pay_cents, c.id, p_now);
  perform resolve_pending('fund-fee:' || ch.id, 'POST', 'charge-fee:' || ch.id, in_transit,
    account_of('CAMPAIGN_FEE', c.id), ch.fee_cents, c.id, p_now);
  if ch.renews then
    update campaigns set funded_cents = funded_cents + ch.pay_cents, fee_cents = fee_cents + ch.fee_cents,
      renewal_asked_at = null, escrow_since = p_now, escrow_due_at = p_now + interval '80 days' where id = c.id;
    select balance_cents - ch.pay_cents into held_pay from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = c.id;
    select balance_cents - ch.fee_cents into held_fee from accounts where kind = 'CAMPAIGN_FEE' and owner_id = c.id;
    -- This payment is not refunded while its charge is pending; the older ones are.
    perform refund_surplus(p_refund, c.id, held_pay, held_fee, p_now);
    update charges set status = 'COMPLETED', settled_at = p_now where id = ch.id;
    return 'RETURNED';
  end if;
  update charges set status = 'COMPLETED', settled_at = p_now where id = ch.id;
  update campaigns set funded_cents = funded_cents + ch.pay_cents, fee_cents = fee_cents + ch.fee_cents,
    status = 'PENDING_APPROVAL', status_changed_at = p_now, submitted_at = p_now, rejection_reason = null,
    escrow_since = coalesce(escrow_since, p_now), escrow_due_at = coalesce(escrow_due_at, p_now + interval '80 days')
    where id = c.id;
  return 'OK';
end $$;
