-- What a provider reports about a dispute of a charge that nobody here knows of, as often as it likes. p_moved has the movements
-- of the dispute's money: their number tells news of a dispute that goes on after its end from old news. A lost one takes what
-- had not been refunded yet (p_refunded has been); beyond that the platform has paid twice, and the payer owes it. If one is won
-- after all, the charge is refunded again. p_fees has what the provider kept for each movement, booked once each. Returns
-- NOT_FOUND if there is no such lost charge, otherwise the dispute's status.
create or replace function book_lost_dispute(p_id uuid, p_provider text, p_reference text, p_charge uuid, p_amount bigint,
  p_reason text, p_status text, p_refunded bigint, p_moved text[], p_fees bigint[], p_at timestamptz, p_now timestamptz)
  returns text language plpgsql as $$
declare
  l lost_movements;
  d lost_disputes;
  moves int := cardinality(p_moved);
  excess bigint;
  fee record;
begin
  select * into l from lost_movements where id = p_charge and kind = 'CHARGE' for update;
  if not found then return 'NOT_FOUND'; end if;
  insert into lost_disputes (id, provider, reference, charge_id, amount_cents, reason, status, opened_at, recorded_at)
    values (p_id, p_provider, p_reference, p_charge, p_amount, p_reason, 'OPEN', p_at, p_now) on conflict do nothing;
  select * into strict d from lost_disputes where provider = p_provider and reference = p_reference for update;
  if p_status <> d.status and (d.status = 'OPEN' or moves > d.movements and (d.status = 'WON' or p_status = 'WON')) then
    if d.status = 'LOST' then
      excess := d.amount_cents - d.covered_cents;
      perform post_lost_dispute('dispute-returned:' || d.id || ':' || moves, d.id, 'LOSS', -excess, p_now);
      if d.covered_cents > 0 then
        update lost_movements set booked_at = null, refund_key = 'lost:' || id || ':' || p_reference where id = l.id;
      end if;
      update lost_disputes set covered_cents = 0 where id = d.id;
    end if;
    update lost_disputes set status = p_status, closed_at = case when p_status = 'OPEN' then null else p_at end where id = d.id;
    if p_status = 'LOST' then
      update lost_disputes set covered_cents = greatest(0, least(amount_cents, l.amount_cents - p_refunded
          - (select coalesce(sum(covered_cents), 0) from lost_disputes where charge_id = l.id and id <> d.id)))
        where id = d.id returning amount_cents - covered_cents into excess;
      perform post_lost_dispute('dispute-lost:' || d.id || ':' || moves, d.id, 'LOSS', excess, p_now);
    end if;
  end if;
  update lost_disputes set movements = greatest(movements, moves) where id = d.id;
  for fee in select movement, cents from unnest(p_moved, p_fees) given (movement, cents) order by movement loop
    perform post_lost_dispute('dispute-fee:' || d.id || ':' || fee.movement, d.id, 'FEE', fee.cents, p_now);
  end loop;
  return (select status from lost_disputes where id = d.id);
end $$;
