-- Books what a provider kept for a dispute: one fee for each of its movements of money, which the provider names. A negative fee
-- was given back. Each is booked once, however often and in whatever order it is reported. The dispute has to be known.
create or replace function book_dispute_fees(p_provider text, p_reference text, p_movements text[], p_fees bigint[],
  p_now timestamptz) returns void language plpgsql as $$
declare
  d disputes;
  fee record;
  fees bigint := account_of('PROVIDER_FEES', null);
  cash bigint := account_of('PROVIDER_CASH', null);
begin
  select * into strict d from disputes where provider = p_provider and reference = p_reference for update;
  for fee in
    select 'dispute-fee:' || d.id || ':' || movement as key, cents from unnest(p_movements, p_fees) given (movement, cents)
      where cents <> 0 order by movement
  loop
    continue when exists (select from transfers where business_key = fee.key);
    perform post_transfer(fee.key, case when fee.cents > 0 then fees else cash end,
      case when fee.cents > 0 then cash else fees end, abs(fee.cents), d.campaign_id, p_now);
    update disputes set provider_fee_cents = provider_fee_cents + fee.cents where id = d.id;
  end loop;
end $$;
