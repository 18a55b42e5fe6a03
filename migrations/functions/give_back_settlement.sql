-- An admin has given back what a developer paid by other means for a dispute and no longer owes. The money never was in the product,
-- so nothing is booked. Everything that is to be given back, and no other amount (WRONG_AMOUNT); WRONG_STATE if there is nothing.
create or replace function give_back_settlement(p_id uuid, p_dispute uuid, p_amount bigint, p_note text, p_admin uuid,
  p_now timestamptz) returns text language plpgsql as $$
declare d disputes;
begin
  perform from campaigns where id = (select campaign_id from disputes where id = p_dispute) for update;
  select * into d from disputes where id = p_dispute for update;
  if d.id is null then return 'NOT_FOUND'; end if;
  if d.give_back_cents = 0 then return 'WRONG_STATE'; end if;
  if p_amount <> d.give_back_cents then return 'WRONG_AMOUNT'; end if;
  insert into dispute_settlements (id, dispute_id, kind, amount_cents, note, recorded_by, recorded_at)
    values (p_id, d.id, 'GIVEN_BACK', p_amount, p_note, p_admin, p_now);
  update disputes set give_back_cents = 0, give_back_since = null where id = d.id;
  return 'OK';
end $$;
