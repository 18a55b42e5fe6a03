-- p_cents of an overpaid refund have come back. Ends its row or, if only some of it came back, splits that off into a row of its
-- own; returns the id of the ended row. The caller has locked the part of the refund, and posts the transfer.
create or replace function end_over_refund(p_over over_refunds, p_cents bigint, p_now timestamptz) returns uuid language plpgsql as $$
declare ended uuid := p_over.id;
begin
  if p_cents < p_over.amount_cents then
    update over_refunds set amount_cents = amount_cents - p_cents where id = p_over.id;
    insert into over_refunds (id, part_id, call_id, amount_cents, told_at, outcome, ended_at)
      values (gen_random_uuid(), p_over.part_id, p_over.call_id, p_cents, p_over.told_at, 'CAME_BACK', p_now) returning id into ended;
  else
    update over_refunds set outcome = 'CAME_BACK', ended_at = p_now, ended_by = null where id = p_over.id;
  end if;
  return ended;
end $$;
