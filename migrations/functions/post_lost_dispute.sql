-- Books what a dispute of a lost charge costs or, below zero, gives back: each key once, and nothing for zero.
create or replace function post_lost_dispute(p_key text, p_dispute uuid, p_kind text, p_cents bigint, p_now timestamptz)
  returns void language plpgsql as $$
declare
  other bigint := account_of(case p_kind when 'FEE' then 'PROVIDER_FEES' else 'DISPUTES_RECEIVABLE' end, null);
  cash bigint := account_of('PROVIDER_CASH', null);
begin
  if p_cents = 0 then return; end if;
  insert into lost_dispute_bookings (business_key, dispute_id, kind, cents) values (p_key, p_dispute, p_kind, p_cents)
    on conflict do nothing;
  if not found then return; end if;
  perform post_transfer(p_key, case when p_cents > 0 then other else cash end, case when p_cents > 0 then cash else other end,
    abs(p_cents), null, p_now);
end $$;
