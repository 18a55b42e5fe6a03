-- A part of a refund that was paid out has come back: its money is owed again, and the part waits for its next attempt, as do the
-- refund and its line on the statement. p_reference is the provider's own id of the attempt that came back, which counts as refused
-- from then on: told again, or after a later attempt was paid, it changes nothing (WRONG_STATE). Of one that had paid the part twice
-- what was too much has come back, whichever of the two it is, and the part stays paid (CAME_BACK).
create or replace function return_refund_part(p_part uuid, p_reference text, p_reason text, p_now timestamptz)
  returns text language plpgsql as $$
declare
  part refund_parts := lock_refund_part(p_part);
  campaign uuid := (select campaign_id from refunds where id = part.refund_id);
  call_id uuid;
  twice over_refunds;
  key text;
  times int := 1;
begin
  if part.id is null then return 'NOT_FOUND'; end if;
  if part.status <> 'COMPLETED' then return 'WRONG_STATE'; end if;
  update provider_calls set status = 'REFUSED', reason = p_reason, settled_at = p_now
    where subject_id = part.id and reference = p_reference and status = 'DONE' returning id into call_id;
  if not found then return 'WRONG_STATE'; end if;
  select * into twice from over_refunds where part_id = part.id and outcome is distinct from 'CAME_BACK'
    order by outcome is null desc, id limit 1;
  if found then
    update over_refunds set outcome = 'CAME_BACK', ended_at = p_now, ended_by = null where id = twice.id;
    perform post_transfer('refund-twice-back:' || twice.id, account_of('PROVIDER_CASH', null),
      account_of(case when twice.outcome is null then 'REFUNDS_OVERPAID' else 'PAID_OUTSIDE' end, null), twice.amount_cents, campaign,
      p_now);
    return 'CAME_BACK';
  end if;
  -- The same attempt may be told as paid after all, and come back again.
  key := 'refund-returned:' || call_id;
  while exists (select from transfers where business_key = key) loop
    times := times + 1;
    key := 'refund-returned:' || call_id || ':' || times;
  end loop;
  perform post_transfer(key, account_of('PROVIDER_CASH', null), account_of('REFUNDS_OWED', null),
    part.amount_cents, campaign, p_now);
  update refund_parts set status = 'PENDING', settled_at = null, stuck_since = null, retry_asked_at = null where id = part.id;
  update refunds set status = 'PENDING', settled_at = null where id = part.refund_id;
  update transactions set status = 'PENDING' where source_id = part.refund_id and type = 'CREDIT' and status = 'COMPLETED';
  return 'OK';
end $$;
