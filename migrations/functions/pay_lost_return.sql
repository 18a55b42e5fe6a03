-- A lost refund that had come back is paid again, under the provider's p_reference. False if somebody else has booked it.
create or replace function pay_lost_return(p_id uuid, p_reference text) returns boolean language plpgsql as $$
declare r lost_returns;
begin
  delete from lost_returns where id = p_id returning * into r;
  if r.id is null then return false; end if;
  insert into lost_movements (id, kind, of_id, amount_cents, at, provider, reference)
    values (r.id, 'REFUND', r.payment_id, r.amount_cents, r.at, 'stripe', p_reference) on conflict do nothing;
  return true;
end $$;
