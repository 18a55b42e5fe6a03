-- A part of a refund that a bank had paid is owed again. What the provider has overpaid for the same refund and payment already
-- pays it: that much is no longer an overpayment, and is added to the part with whose id the provider was asked, since the
-- provider knows the money by that id. Returns the part that has what is left to be paid; null if nothing is left. Does not net
-- what the provider paid for a part that was also paid by other means, nor what would delete a part that the provider was asked
-- for and may still report about. The caller has locked the campaign exclusively, or the refund and all of its parts.
create or replace function net_over_refunds(p_part refund_parts, p_key text, p_now timestamptz) returns uuid language plpgsql as $$
declare
  owed uuid := p_part.id;
  left_cents bigint := p_part.amount_cents;
  paid refund_parts;
  twice over_refunds;
  cents bigint;
  other uuid;
begin
  for twice in
    select o.* from over_refunds o join refund_parts p on p.id = o.part_id
      where p.refund_id = p_part.refund_id and p.payment_id = p_part.payment_id and p.status = 'COMPLETED' and o.outcome is null
        and not exists (select from outside_refunds where part_id = p.id and outcome = 'PAID')
      order by p.id = p_part.id desc, o.id
  loop
    cents := least(left_cents, twice.amount_cents);
    exit when cents = 0;
    select * into strict paid from refund_parts where id = twice.part_id;
    continue when cents = left_cents and paid.id <> owed and exists (
      select from provider_calls where subject_id = owed union all select from outside_refunds where part_id = owed
      union all select from over_refunds where part_id = owed);
    perform end_over_refund(twice, cents, p_now);
    left_cents := left_cents - cents;
    if paid.id <> owed and left_cents > 0 then
      update refund_parts set amount_cents = left_cents where id = owed;
    elsif paid.id <> owed then
      delete from refund_parts where id = owed;
    end if;
    if paid.dispute_id is null then
      update refund_parts set amount_cents = amount_cents + cents where id = paid.id;
    else
      -- What a bank has paid under this id moves to another part.
      update refund_parts set amount_cents = cents, dispute_id = null where id = paid.id;
      insert into refund_parts (refund_id, payment_id, counterparty, amount_cents, status, settled_at, dispute_id)
        select refund_id, payment_id, counterparty, kept, status, settled_at, paid.dispute_id
        from refund_parts cross join lateral (select case id when owed then left_cents else paid.amount_cents end as kept) bank
        where id = paid.id and kept > 0 returning id into other;
      owed := case paid.id when owed then other else owed end;
    end if;
  end loop;
  perform post_transfer(p_key, account_of('REFUNDS_OWED', null), account_of('REFUNDS_OVERPAID', null), p_part.amount_cents - left_cents,
    (select campaign_id from refunds where id = p_part.refund_id), p_now);
  return case when left_cents > 0 then owed end;
end $$;
