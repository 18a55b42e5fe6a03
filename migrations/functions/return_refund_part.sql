-- A part of a refund that was paid out has come back: its money is owed again, and the part waits for its next attempt, as do the
-- refund and its line on the statement. p_reference is the provider's own id of the attempt that came back, which counts as
-- refused from then on; news that is repeated, or comes after a later attempt was paid, changes nothing (WRONG_STATE). If the
-- attempt had paid too much, that comes back first, and then, if the part was paid twice, what the other attempt paid too much;
-- only the rest had paid the part. If nothing is left, the part stays as it is (CAME_BACK); if less than the part is left,
-- another attempt had paid the remainder. A part that is owed already was not paid by the attempt, all of which was then too
-- much.
create or replace function return_refund_part(p_part uuid, p_reference text, p_reason text, p_now timestamptz)
  returns text language plpgsql as $$
declare
  part refund_parts := lock_refund_part(p_part);
  campaign uuid := (select campaign_id from refunds where id = part.refund_id);
  back provider_calls;
  left_cents bigint;
  cents bigint;
  twice over_refunds;
  key text;
  times int := 1;
begin
  if part.id is null then return 'NOT_FOUND'; end if;
  if part.status <> 'COMPLETED' and not exists (select from over_refunds where part_id = part.id and outcome is distinct from 'CAME_BACK')
    then return 'WRONG_STATE'; end if;
  update provider_calls set status = 'REFUSED', reason = p_reason, settled_at = p_now
    where subject_id = part.id and reference = p_reference and status = 'DONE' returning * into back;
  if not found then return 'WRONG_STATE'; end if;
  left_cents := coalesce(back.amount_cents,
    (select amount_cents from over_refunds where call_id = back.id and outcome is distinct from 'CAME_BACK'),
    part.amount_cents - coalesce(part.covered_cents, 0));
  for twice in select * from over_refunds where part_id = part.id and outcome is distinct from 'CAME_BACK'
    order by call_id = back.id desc, outcome is null desc, id
  loop
    cents := least(left_cents, twice.amount_cents);
    exit when cents = 0;
    perform post_transfer('refund-twice-back:' || end_over_refund(twice, cents, p_now), account_of('PROVIDER_CASH', null),
      account_of(case when twice.outcome is null then 'REFUNDS_OVERPAID' else 'PAID_OUTSIDE' end, null), cents, campaign, p_now);
    left_cents := left_cents - cents;
  end loop;
  if part.status = 'PENDING' and left_cents > 0 then raise exception 'more of part % came back than was too much', p_part; end if;
  if found and left_cents = 0 or part.status = 'PENDING' then return 'CAME_BACK'; end if;
  -- The same attempt may be reported as paid after all, and come back again.
  key := 'refund-returned:' || back.id;
  while exists (select from transfers where business_key = key) loop
    times := times + 1;
    key := 'refund-returned:' || back.id || ':' || times;
  end loop;
  -- Nothing else is known about what was paid before a restore.
  if left_cents < part.amount_cents and coalesce(part.covered_cents, 0) = 0 then
    perform split_refund_part(part.id, left_cents);
  else
    left_cents := part.amount_cents;
    update refund_parts set status = 'PENDING', settled_at = null, stuck_since = null, retry_asked_at = null where id = part.id;
  end if;
  perform post_transfer(key, account_of('PROVIDER_CASH', null), account_of('REFUNDS_OWED', null), left_cents, campaign, p_now);
  update refunds set status = 'PENDING', settled_at = null where id = part.refund_id;
  update transactions set status = 'PENDING' where source_id = part.refund_id and type = 'CREDIT' and status = 'COMPLETED';
  return 'OK';
end $$;
