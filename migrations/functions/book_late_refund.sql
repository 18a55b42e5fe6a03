-- The provider reports that it has paid, after all, an attempt of a part that counts as refused. If the part is owed, this pays
-- it, and what an admin was about to book for it lapses (OK). If the part was paid otherwise, the developer has the money twice:
-- it has left the provider's cash, and the developer owes it to us (PAID_TWICE), unless as much of the same refund is owed under
-- another part, for which this payment then counts. LATER: a later attempt is under way, so nobody can tell yet. SAME: the
-- attempt is known to be paid, or is still open.
create or replace function book_late_refund(p_id uuid, p_part uuid, p_key text, p_reference text, p_now timestamptz)
  returns text language plpgsql as $$
declare
  part refund_parts := lock_refund_part(p_part);
  campaign uuid := (select campaign_id from refunds where id = part.refund_id);
  late provider_calls;
  over_cents bigint;
  other refund_parts;
  call_id uuid;
  owed uuid;
  owed_cents bigint := part.amount_cents - coalesce(part.covered_cents, 0);
begin
  if part.id is null then return 'SAME'; end if;
  -- Each attempt updates its own part first, so none can begin while all parts are locked.
  perform from refund_parts where refund_id = part.refund_id order by id for update;
  select * into late from provider_calls where subject_id = part.id and key = p_key and status = 'REFUSED' for update;
  if not found then return 'SAME'; end if;
  if exists (select from provider_calls where subject_id = part.id and status = 'PENDING') then return 'LATER'; end if;
  perform settle_outside_refund(id, 'LAPSED', null, null, p_now) from outside_refunds where part_id = part.id and outcome is null;
  update provider_calls set status = 'DONE', reason = null, reference = p_reference, settled_at = p_now where id = late.id;
  over_cents := coalesce(late.amount_cents, owed_cents);
  if part.status = 'PENDING' then
    -- More is owed than this attempt asked for, so the rest waits for an attempt of its own.
    if over_cents < owed_cents then
      perform split_refund_part(part.id, owed_cents - over_cents);
      part.amount_cents := part.amount_cents - (owed_cents - over_cents);
    end if;
    perform post_transfer('refund-late:' || p_id, account_of('REFUNDS_OWED', null), account_of('PROVIDER_CASH', null),
      part.amount_cents, campaign, p_now);
    perform complete_refund_part(part.id, p_now);
    -- The attempt was made before a bank paid some of it.
    over_cents := over_cents - owed_cents;
    if over_cents <= 0 then return 'OK'; end if;
  end if;
  insert into over_refunds (id, part_id, call_id, amount_cents, told_at) values (p_id, part.id, late.id, over_cents, p_now);
  perform post_transfer('refund-twice:' || p_id, account_of('REFUNDS_OVERPAID', null), account_of('PROVIDER_CASH', null), over_cents,
    campaign, p_now);
  for other in
    select * from refund_parts where refund_id = part.refund_id and payment_id = part.payment_id and id <> part.id order by id
  loop
    exit when not exists (select from over_refunds where part_id = part.id and outcome is null);
    continue when not may_set_off(other);
    -- A call that has not been sent is withdrawn.
    delete from provider_calls where subject_id = other.id and status = 'PENDING' and sent_at is null returning id into call_id;
    if found then
      perform resolve_pending('refund-void:' || call_id, 'VOID', 'refund-call:' || call_id, account_of('REFUNDS_IN_TRANSIT', null),
        account_of('REFUNDS_OWED', null), other.amount_cents, campaign, p_now);
    end if;
    -- The call has just been sent.
    continue when exists (select from provider_calls where subject_id = other.id and status = 'PENDING');
    owed := net_over_refunds(other, 'refund-once:' || other.id || ':' || p_id, p_now);
    -- An admin decides about what the developer may already have.
    update refund_parts set stuck_since = coalesce(stuck_since, p_now), retry_asked_at = null
      where id = owed and exists (select from over_refunds where part_id = part.id and outcome is null);
  end loop;
  if not exists (select from refund_parts where refund_id = part.refund_id and status = 'PENDING') then
    update refunds set status = 'COMPLETED', settled_at = p_now where id = part.refund_id and status = 'PENDING';
    update transactions set status = 'COMPLETED' where source_id = part.refund_id and status = 'PENDING';
  end if;
  return case when exists (select from over_refunds where id = p_id and outcome is null) then 'PAID_TWICE' else 'OK' end;
end $$;
