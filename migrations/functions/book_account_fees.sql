-- Books what a provider took for its own services or, below zero, gave back: each movement once, however often it is reported.
create or replace function book_account_fees(p_provider text, p_references text[], p_cents bigint[], p_moved_at timestamptz[],
  p_now timestamptz) returns int language plpgsql as $$
declare
  fees bigint := account_of('PROVIDER_FEES', null);
  cash bigint := account_of('PROVIDER_CASH', null);
  booked account_fees[];
begin
  with new as (
    insert into account_fees (id, provider, reference, amount_cents, moved_at, recorded_at)
      select gen_random_uuid(), p_provider, reference, cents, moved_at, p_now
        from unnest(p_references, p_cents, p_moved_at) told (reference, cents, moved_at) where cents <> 0 order by reference
      on conflict do nothing returning *
  ) select array_agg(new order by moved_at, reference) into booked from new;
  if booked is null then return 0; end if;
  perform post_transfers(array_agg('account-fee:' || id), array_agg(case when amount_cents > 0 then fees else cash end),
    array_agg(case when amount_cents > 0 then cash else fees end), array_agg(abs(amount_cents)), array_agg(null::uuid), p_now)
    from unnest(booked);
  return cardinality(booked);
end $$;
