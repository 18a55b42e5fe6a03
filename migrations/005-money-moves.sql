-- Every move of money is one function call: its rows are locked for a single round trip, and either all of it
-- happened or nothing. A function answers 'OK' or the code of the refusal (src/kit/errors.ts); the sentence for people
-- and the same rule in TypeScript stand in the slices' rules.ts, and tests hold the two together.
-- Locks are taken in one order: campaign, participation, then accounts (escrow, fee, testers by id).

create function fund_campaign(p_payment uuid, p_campaign uuid, p_developer uuid, p_amount bigint, p_provider text,
  p_counterparty text, p_now timestamptz) returns text language plpgsql as $$
declare
  c campaigns;
  owed_pay bigint;
  owed_fee bigint;
begin
  select * into c from campaigns where id = p_campaign and developer_id = p_developer for update;
  if not found then return 'NOT_FOUND'; end if;
  if c.status not in ('DRAFT', 'REJECTED') then return 'WRONG_STATE'; end if;
  owed_pay := c.testers_required * c.pay_per_tester_cents - c.funded_cents;
  owed_fee := c.quoted_fee_cents - c.fee_cents;
  if p_amount is distinct from owed_pay + owed_fee then return 'WRONG_AMOUNT'; end if;

  insert into payments (id, campaign_id, developer_id, amount_cents, provider, status, created_at)
    values (p_payment, p_campaign, p_developer, p_amount, p_provider, 'COMPLETED', p_now);
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
    status = 'PENDING_APPROVAL', submitted_at = p_now, rejection_reason = null where id = p_campaign;
  return 'OK';
end $$;

-- Gives back what a campaign holds beyond p_owed_pay and p_owed_fee. The caller holds the campaign's row.
create function refund_surplus(p_refund uuid, p_campaign uuid, p_owed_pay bigint, p_owed_fee bigint,
  p_now timestamptz) returns void language plpgsql as $$
declare
  c campaigns;
  escrow bigint := account_of('CAMPAIGN_ESCROW', p_campaign);
  held_fee bigint := account_of('CAMPAIGN_FEE', p_campaign);
  in_transit bigint := account_of('REFUNDS_IN_TRANSIT', null);
  back_pay bigint;
  back_fee bigint;
begin
  select * into strict c from campaigns where id = p_campaign;
  select greatest(balance_cents - p_owed_pay, 0) into strict back_pay from accounts where id = escrow for update;
  select greatest(balance_cents - p_owed_fee, 0) into strict back_fee from accounts where id = held_fee for update;
  if back_pay + back_fee = 0 then return; end if;

  insert into refunds (id, campaign_id, developer_id, amount_cents, status, created_at)
    values (p_refund, p_campaign, c.developer_id, back_pay + back_fee, 'PENDING', p_now);
  perform post_transfer('refund-pay:' || p_refund, escrow, in_transit, back_pay, p_campaign, p_now);
  perform post_transfer('refund-fee:' || p_refund, held_fee, in_transit, back_fee, p_campaign, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
    values (c.developer_id, 'CREDIT', 'PENDING', back_pay + back_fee, 'Refund', p_campaign, p_refund, p_now);
  update campaigns set funded_cents = funded_cents - back_pay, fee_cents = fee_cents - back_fee where id = p_campaign;
end $$;

-- New terms for a draft. p_quoted_fee belongs to the new terms; a surplus goes back.
create function change_campaign_terms(p_campaign uuid, p_platform text, p_testers int, p_pay bigint, p_days int,
  p_quoted_fee bigint, p_daily_check_in boolean, p_countries text[], p_country_codes text[], p_min_android text,
  p_min_ios text, p_title text, p_description text, p_link text, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
begin
  update campaigns set platform = p_platform, testers_required = p_testers, pay_per_tester_cents = p_pay,
    duration_days = p_days, quoted_fee_cents = p_quoted_fee, daily_check_in = p_daily_check_in,
    countries = p_countries, country_codes = p_country_codes, min_android_version = p_min_android,
    min_ios_version = p_min_ios, title = p_title, description = p_description, distribution_link = p_link,
    status = 'DRAFT', rejection_reason = null
    where id = p_campaign and status in ('DRAFT', 'REJECTED');
  if not found then return 'WRONG_STATE'; end if;
  perform refund_surplus(p_refund, p_campaign, p_testers * p_pay, p_quoted_fee, p_now);
  return 'OK';
end $$;

-- What a campaign that ended still owes: the pay and the fee share of each tester under review. While these can still
-- be the last of all seats, the rounding of the fee stays for the last one.
create function refund_unused(p_refund uuid, p_campaign uuid, p_now timestamptz) returns void language plpgsql as $$
declare
  c campaigns;
  fee_share bigint;
begin
  select * into strict c from campaigns where id = p_campaign;
  fee_share := c.quoted_fee_cents / c.testers_required;
  perform refund_surplus(p_refund, p_campaign, c.open_testers * c.pay_per_tester_cents,
    case when c.open_testers > 0 and c.open_testers + c.verified_testers = c.testers_required
      then c.quoted_fee_cents - c.verified_testers * fee_share else c.open_testers * fee_share end, p_now);
end $$;

create function pay_tester(p_key text, c campaigns, p_tester uuid, p_amount bigint, p_description text,
  p_now timestamptz) returns void language plpgsql as $$
begin
  if p_amount = 0 then return; end if;
  perform post_transfer(p_key, account_of('CAMPAIGN_ESCROW', c.id), account_of('TESTER_BALANCE', p_tester),
    p_amount, c.id, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, campaign_id, created_at)
    values (p_tester, 'CREDIT', 'COMPLETED', p_amount, p_description, c.id, p_now);
end $$;

-- Accepts a proof: pay to the tester, the seat's share of the fee to the platform; the last seat takes the rounding.
-- Without a reviewer it is the clock that decides, and only once the time for review is over.
create function verify_participation(p_participation uuid, p_reviewer uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
  held_fee bigint;
  fee_share bigint;
begin
  select campaigns.* into c from campaigns join participations on participations.campaign_id = campaigns.id
    where participations.id = p_participation for update of campaigns;
  if not found then return 'NOT_FOUND'; end if;
  select * into strict p from participations where id = p_participation for update;
  if p.status <> 'SUBMITTED' or (p_reviewer is null and p.wake_at > p_now) then return 'WRONG_STATE'; end if;

  held_fee := account_of('CAMPAIGN_FEE', c.id);
  fee_share := c.quoted_fee_cents / c.testers_required;
  if c.verified_testers + 1 = c.testers_required then
    select balance_cents into strict fee_share from accounts where id = held_fee;
  end if;
  perform pay_tester('verify-pay:' || p.id, c, p.tester_id, c.pay_per_tester_cents, 'Verified test', p_now);
  perform post_transfer('verify-fee:' || p.id, held_fee, account_of('PLATFORM_REVENUE', null), fee_share, c.id, p_now);
  update participations set status = 'VERIFIED', reviewed_at = p_now, reviewed_by = p_reviewer, closed_at = p_now,
    wake_at = null, at_risk = false where id = p.id;
  update campaigns set open_testers = open_testers - 1, verified_testers = verified_testers + 1 where id = c.id;
  return 'OK';
end $$;

-- Closes a participation that is not paid: REJECTED by a reviewer, or DROPPED by its tester or by the clock.
-- The seat is free again; in a campaign that was cancelled meanwhile its money goes back.
-- p_when_due: only when its time is over, so that a check-in in the same second wins.
create function close_unpaid(p_participation uuid, p_from text[], p_to text, p_reviewer uuid, p_code text,
  p_reason text, p_drop_reason text, p_when_due boolean, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
begin
  select campaigns.* into c from campaigns join participations on participations.campaign_id = campaigns.id
    where participations.id = p_participation for update of campaigns;
  if not found then return 'NOT_FOUND'; end if;
  select * into strict p from participations where id = p_participation for update;
  if p.status <> all (p_from) or (p_when_due and p.wake_at > p_now) then return 'WRONG_STATE'; end if;

  update participations set status = p_to, rejection_code = p_code, rejection_reason = p_reason,
    drop_reason = p_drop_reason, payout_amount_cents = 0, closed_at = p_now, wake_at = null, at_risk = false,
    reviewed_at = case when p_to = 'REJECTED' then p_now else reviewed_at end,
    reviewed_by = coalesce(p_reviewer, reviewed_by) where id = p.id;
  update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = c.id;
  if c.status = 'CANCELLED' then perform refund_unused(p_refund, c.id, p_now); end if;
  return 'OK';
end $$;

-- Ends a campaign early: whoever is still testing gets floor(pay × days checked in / duration), proofs handed in are
-- still reviewed, the rest goes back to the developer.
create function cancel_campaign(p_campaign uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
  days int;
  pay bigint;
begin
  select * into c from campaigns where id = p_campaign for update;
  if not found then return 'NOT_FOUND'; end if;
  if c.status in ('COMPLETED', 'CANCELLED') then return 'WRONG_STATE'; end if;
  for p in select * from participations where campaign_id = p_campaign and status = 'ACTIVE'
    order by tester_id for update
  loop
    days := least(p.check_in_count, c.duration_days);
    pay := c.pay_per_tester_cents * days / c.duration_days;
    perform pay_tester('cancel-pay:' || p.id, c, p.tester_id, pay,
      format('Cancelled test, %s of %s days', days, c.duration_days), p_now);
    update participations set status = 'CANCELLED', payout_amount_cents = pay, closed_at = p_now, wake_at = null,
      at_risk = false where id = p.id;
    update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = p_campaign;
  end loop;
  update campaigns set status = 'CANCELLED', closed_at = p_now, rejection_reason = null where id = p_campaign;
  perform refund_unused(p_refund, p_campaign, p_now);
  return 'OK';
end $$;

-- The clock ends a campaign: nobody is inside, and every seat is verified or its end has passed.
create function complete_campaign(p_campaign uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
begin
  update campaigns set status = 'COMPLETED', closed_at = p_now
    where id = p_campaign and status in ('LIVE', 'PAUSED') and open_testers = 0
      and (verified_testers = testers_required or end_date <= p_now);
  if not found then return 'WRONG_STATE'; end if;
  perform refund_unused(p_refund, p_campaign, p_now);
  return 'OK';
end $$;

create function settle_refund(p_refund uuid, p_now timestamptz) returns text language plpgsql as $$
declare r refunds;
begin
  select * into r from refunds where id = p_refund for update;
  if not found then return 'NOT_FOUND'; end if;
  if r.status <> 'PENDING' then return 'WRONG_STATE'; end if;
  perform post_transfer('refund-out:' || r.id, account_of('REFUNDS_IN_TRANSIT', null),
    account_of('PROVIDER_CASH', null), r.amount_cents, r.campaign_id, p_now);
  update refunds set status = 'COMPLETED', settled_at = p_now where id = r.id;
  update transactions set status = 'COMPLETED' where source_id = r.id and status = 'PENDING';
  return 'OK';
end $$;

-- The wish for a payout: the money leaves the balance at once, the provider is asked by a job.
create function request_withdrawal(p_withdrawal uuid, p_tester uuid, p_amount bigint, p_pause interval,
  p_now timestamptz) returns text language plpgsql as $$
declare
  u users;
  wallet bigint := account_of('TESTER_BALANCE', p_tester);
  balance bigint;
begin
  select * into strict u from users where id = p_tester for share;
  if u.payment_method_changed_at + p_pause > p_now then return 'PAYOUT_METHOD_PAUSED'; end if;
  select balance_cents into strict balance from accounts where id = wallet for update;
  if balance < p_amount then return 'INSUFFICIENT_BALANCE'; end if;
  insert into withdrawals (id, tester_id, amount_cents, destination, status, created_at)
    values (p_withdrawal, p_tester, p_amount, coalesce(u.payment_method, u.email), 'PENDING', p_now);
  perform post_transfer('withdraw:' || p_withdrawal, wallet, account_of('PAYOUTS_IN_TRANSIT', null), p_amount, null,
    p_now);
  insert into transactions (user_id, type, status, amount_cents, description, source_id, created_at)
    values (p_tester, 'PAYOUT', 'PENDING', p_amount, 'Withdrawal to ' || coalesce(u.payment_method, u.email),
      p_withdrawal, p_now);
  return 'OK';
end $$;

-- The provider's answer: paid, or (with a reason) the money goes back to the balance.
create function settle_withdrawal(p_withdrawal uuid, p_failure text, p_now timestamptz)
  returns text language plpgsql as $$
declare w withdrawals;
begin
  select * into w from withdrawals where id = p_withdrawal for update;
  if not found then return 'NOT_FOUND'; end if;
  if w.status <> 'PENDING' then return 'WRONG_STATE'; end if;
  update withdrawals set status = case when p_failure is null then 'COMPLETED' else 'FAILED' end,
    failure_reason = p_failure, settled_at = p_now where id = w.id;
  update transactions set status = case when p_failure is null then 'COMPLETED' else 'FAILED' end
    where source_id = w.id and status = 'PENDING';
  if p_failure is null then
    perform post_transfer('payout:' || w.id, account_of('PAYOUTS_IN_TRANSIT', null),
      account_of('PROVIDER_CASH', null), w.amount_cents, null, p_now);
  else
    perform post_transfer('payout-back:' || w.id, account_of('PAYOUTS_IN_TRANSIT', null),
      account_of('TESTER_BALANCE', w.tester_id), w.amount_cents, null, p_now);
    insert into transactions (user_id, type, status, amount_cents, description, source_id, created_at)
      values (w.tester_id, 'CREDIT', 'REFUNDED', w.amount_cents, 'Withdrawal returned', w.id, p_now);
  end if;
  return 'OK';
end $$;

-- A tester's balance, 0 before the first credit.
create function balance_of_tester(p_tester uuid) returns bigint language sql stable as $$
  select coalesce((select balance_cents from accounts where kind = 'TESTER_BALANCE' and owner_id = p_tester), 0)
$$;
