-- A refund from before a restore has come back from the bank, under the provider's p_reference. It is no longer taken off
-- refunds; as far as it was already, it is owed again. If it was of a charge that nobody here knows of, the charge itself is
-- refunded again. News that is repeated, or is about an attempt before the one that was paid since, changes nothing and returns
-- false.
create or replace function return_lost_refund(p_id uuid, p_reference text, p_now timestamptz) returns boolean
  language plpgsql as $$
declare
  r lost_movements;
  short bigint;
begin
  perform from payments where id = (select of_id from lost_movements where id = p_id and kind = 'REFUND') for update;
  delete from lost_movements where id = p_id and kind = 'REFUND' and coalesce(reference, p_reference) = p_reference
    returning * into r;
  if r.id is null then return false; end if;
  update lost_movements set booked_at = null, refund_key = 'lost:' || id || ':' || p_reference, returned_at = p_now
    where id = r.of_id and kind = 'CHARGE';
  if found then return true; end if;
  short := (select coalesce(sum(covered_cents), 0) from refund_parts where payment_id = r.of_id)
    - (select coalesce(sum(amount_cents), 0) from lost_movements where of_id = r.of_id and kind = 'REFUND');
  if short > 0 then
    insert into lost_returns (id, payment_id, amount_cents, at, refund_key, returned_at)
      values (r.id, r.of_id, least(short, r.amount_cents), r.at, 'lost:' || r.id || ':' || p_reference, p_now);
  end if;
  return true;
end $$;
