-- For refunds of a campaign that were begun before a dispute and are still owed when it is lost: what the bank has given back of
-- their payments is not paid again, but set off against what the developer owes for the dispute. If a part exceeds that, the rest
-- stays owed and can be paid. A part that the provider was asked for waits for the answer, one that an admin has recorded as paid
-- by other means waits for the decision, and one that was partly paid before a restore waits for an admin. The caller has locked
-- the campaign's row.
-- Such a part may have been paid by the provider when the dispute was lost, or been on its way. Money of the campaign's other payments
-- may then cover all that the bank took; as much of it as is set off now is the campaign's again.
create or replace function set_off_refunds(p_campaign uuid, p_now timestamptz) returns void language plpgsql as $$
declare
  owed bigint := account_of('REFUNDS_OWED', null);
  d record;
  candidate uuid;
  part refund_parts;
  call_id uuid;
  set_off uuid;
  cents bigint;
  uncovered bigint;
  now_lost disputes;
begin
  -- What was settled is given back if a refund pays it, so what is still owed comes first, and what is covered last.
  for d in select id, payment_id, movements, uncovers from disputes cross join (values (false), (true)) rounds (uncovers)
    where campaign_id = p_campaign and status = 'LOST' order by uncovers, settled_cents > 0, seq
  loop
    for candidate in select id from refund_parts where payment_id = d.payment_id and status = 'PENDING' order by refund_id, id loop
      part := lock_refund_part(candidate);
      cents := least(part.amount_cents, beyond_payment(part.payment_id),
        (select amount_cents - case when d.uncovers then 0 else covered_cents end - set_off_cents from disputes where id = d.id));
      continue when cents <= 0 or not may_set_off(part);
      -- A call that has not been sent is withdrawn, and made again for what is left.
      delete from provider_calls where subject_id = part.id and status = 'PENDING' and sent_at is null returning id into call_id;
      if found then
        perform resolve_pending('refund-void:' || call_id, 'VOID', 'refund-call:' || call_id, account_of('REFUNDS_IN_TRANSIT', null),
          owed, part.amount_cents, p_campaign, p_now);
      end if;
      -- The call has just been sent.
      continue when exists (select from provider_calls where subject_id = part.id and status = 'PENDING');
      if cents < part.amount_cents then
        update refund_parts set amount_cents = amount_cents - cents where id = part.id;
        insert into refund_parts (refund_id, payment_id, counterparty, amount_cents, status, settled_at, dispute_id)
          values (part.refund_id, part.payment_id, part.counterparty, cents, 'COMPLETED', p_now, d.id) returning id into set_off;
      else
        set_off := part.id;
        perform complete_refund_part(part.id, p_now);
        update refund_parts set dispute_id = d.id, stuck_since = null, retry_asked_at = null where id = part.id;
      end if;
      perform post_transfer('refund-set-off:' || set_off || ':' || d.id || ':' || d.movements, owed,
        account_of('DISPUTES_RECEIVABLE', null), cents, p_campaign, p_now);
      select * into strict now_lost from disputes where id = d.id;
      uncovered := cents - (now_lost.amount_cents - now_lost.covered_cents - now_lost.set_off_cents);
      if uncovered > 0 then
        perform uncover_dispute(now_lost, uncovered, d.movements || ':' || now_lost.covered_cents, p_now);
        update disputes set covered_cents = covered_cents - uncovered where id = d.id;
        insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
          select developer_id, 'DEBIT', 'COMPLETED', uncovered, 'Taken back by your bank, counted as a refund', id,
            -- A trigger inserted it on the update.
            (select dispute_covers.id from dispute_covers where dispute_id = d.id order by seq desc limit 1), p_now
          from campaigns where id = p_campaign;
      end if;
      -- Settled with the operator before the refund was owed again.
      perform unsettle_debt(d.id, cents - (select amount_cents - covered_cents - set_off_cents - settled_cents from disputes
        where id = d.id), p_now);
      update disputes set set_off_cents = set_off_cents + cents where id = d.id;
    end loop;
  end loop;
end $$;
