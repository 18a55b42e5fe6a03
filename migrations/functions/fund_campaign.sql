-- Retired: begin_charge and settle_charge ask a provider for it in two phases.
-- Takes a payment for a draft, which then awaits approval. The amount must be what is still
-- missing: the testers' pay goes to the campaign's escrow, the fee is held until seats are verified.
-- The developer's row is locked first, so that nobody pays into an account that is deleted or suspended meanwhile.
create or replace function fund_campaign(p_payment uuid, p_campaign uuid, p_developer uuid, p_amount bigint,
  p_provider text, p_counterparty text, p_now timestamptz) returns text language plpgsql as $$
declare
  u users;
  c campaigns;
  owed_pay bigint;
  owed_fee bigint;
begin
  select * into u from users where id = p_developer for share;
  if not found or u.deleted_at is not null then return 'NOT_FOUND'; end if;
  if u.suspended_at is not null then return 'SUSPENDED'; end if;
  select * into c from campaigns where id = p_campaign and developer_id = p_developer for update;
  if not found then return 'NOT_FOUND'; end if;
  if c.status <> 'DRAFT' then return 'WRONG_STATE'; end if;
  owed_pay := c.testers_required * c.pay_per_tester_cents - c.funded_cents;
  owed_fee := c.quoted_fee_cents - c.fee_cents;
  if p_amount is distinct from owed_pay + owed_fee then return 'WRONG_AMOUNT'; end if;

  insert into payments (id, campaign_id, developer_id, amount_cents, provider, counterparty, status, created_at)
    values (p_payment, p_campaign, p_developer, p_amount, p_provider, p_counterparty, 'COMPLETED', p_now);
  if p_provider = 'sandbox' then
    insert into sandbox_movements values (p_payment, 'CHARGE', p_amount, p_counterparty, null, p_now);
  end if;
  perform post_transfer('fund-pay:' || p_payment, account_of('PROVIDER_CASH', null),
    account_of('CAMPAIGN_ESCROW', p_campaign), owed_pay, p_campaign, p_now);
  perform post_transfer('fund-fee:' || p_payment, account_of('PROVIDER_CASH', null),
    account_of('CAMPAIGN_FEE', p_campaign), owed_fee, p_campaign, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
    select p_developer, line.type, 'COMPLETED', line.cents, line.description, p_campaign, p_payment, p_now
    from (values (1, 'DEBIT', owed_pay, 'Testers’ pay'), (2, 'FEE', owed_fee, 'Platform fee'))
      as line (place, type, cents, description)
    where line.cents > 0 order by line.place;
  update campaigns set funded_cents = funded_cents + owed_pay, fee_cents = fee_cents + owed_fee,
    status = 'PENDING_APPROVAL', status_changed_at = p_now, submitted_at = p_now, rejection_reason = null,
    escrow_since = coalesce(escrow_since, p_now), escrow_due_at = coalesce(escrow_due_at, p_now + interval '80 days')
    where id = p_campaign;
  return 'OK';
end $$;
