-- Records that a provider is about to be asked for what a draft still lacks, or for what a campaign has in escrow if its
-- developer was asked to pay again: the charge, its call, and the pending money. The testers' pay is meant for the campaign's
-- escrow; the fee is held until seats are verified.
-- Locks the developer's row first, so that nobody pays into an account that is being deleted or suspended.
-- The provider carries out p_key once. WAITING: another charge is under way (see end_charges). OWES: a bank took back an earlier
-- payment of the developer, and that is not settled.
create or replace function begin_charge(p_charge uuid, p_key text, p_campaign uuid, p_developer uuid, p_amount bigint,
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
  if c.status = 'DRAFT' then
    owed_pay := c.testers_required * c.pay_per_tester_cents - c.funded_cents;
    owed_fee := c.quoted_fee_cents - c.fee_cents;
  elsif is_renewable(c) then
    select balance_cents into owed_pay from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = c.id;
    select balance_cents into owed_fee from accounts where kind = 'CAMPAIGN_FEE' and owner_id = c.id;
  else
    return 'WRONG_STATE';
  end if;
  if p_amount is distinct from owed_pay + owed_fee then return 'WRONG_AMOUNT'; end if;
  if owed_by_developer(p_developer) > 0 then return 'OWES'; end if;
  if exists (select from charges where campaign_id = p_campaign and status = 'PENDING' and ended_at is null) then
    return 'WAITING';
  end if;

  insert into charges (id, campaign_id, developer_id, pay_cents, fee_cents, provider, counterparty, status, renews, created_at)
    values (p_charge, p_campaign, p_developer, owed_pay, owed_fee, p_provider, p_counterparty, 'PENDING', c.status <> 'DRAFT', p_now);
  insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, created_at)
    values (p_charge, p_provider, 'CHARGE', p_charge, 1, p_key, 'PENDING', p_now);
  perform post_pending('charge-pay:' || p_charge, account_of('PROVIDER_CASH', null), account_of('PAYMENTS_IN_TRANSIT', null),
    owed_pay, p_campaign, p_now);
  perform post_pending('charge-fee:' || p_charge, account_of('PROVIDER_CASH', null), account_of('PAYMENTS_IN_TRANSIT', null),
    owed_fee, p_campaign, p_now);
  return 'OK';
end $$;
