-- A charge from before a restore that nobody here knows of. A job refunds all of it; what the provider kept of it is booked now.
-- False if it is known after all, or already booked.
create or replace function book_lost_charge(p_charge uuid, p_campaign uuid, p_amount bigint, p_fee bigint, p_provider text,
  p_reference text, p_at timestamptz, p_now timestamptz) returns boolean language plpgsql as $$
begin
  if exists (select from charges where id = p_charge) then return false; end if;
  insert into lost_movements (id, kind, of_id, amount_cents, at, provider, fee_cents, reference, refund_key)
    values (p_charge, 'CHARGE', p_campaign, p_amount, p_at, p_provider, p_fee, p_reference, 'lost:' || p_charge)
    on conflict (id) do nothing;
  if not found then return false; end if;
  if p_fee > 0 then
    perform post_transfer('provider-fee:' || p_charge, account_of('PROVIDER_FEES', null), account_of('PROVIDER_CASH', null), p_fee,
      null, p_now);
  end if;
  return true;
end $$;
