-- A lost dispute may be won after all: the card network decides otherwise, or the payer withdraws it. The provider has then moved
-- its money more often than when the dispute was lost; older news of a win does not have more movements, and changes nothing.
-- What the developer owed the platform for it is paid, what covered that is the campaign's again, and refunds that were set off
-- are owed again, as far as the provider has not paid them as well, and what was settled with the operator is to be given back.
-- settle_disputed refunds what the campaign has no use for.
create or replace function win_lost_dispute(p_provider text, p_reference text, p_movements int, p_at timestamptz,
  p_now timestamptz) returns boolean language plpgsql as $$
declare
  d disputes := lock_dispute(p_provider, p_reference);
  receivable bigint := account_of('DISPUTES_RECEIVABLE', null);
  part refund_parts;
  owed uuid;
begin
  if d.id is null or d.status <> 'LOST' or p_movements <= d.movements then return false; end if;
  perform post_transfer('dispute-returned:' || d.id || ':' || p_movements, account_of('PROVIDER_CASH', null), receivable,
    d.amount_cents, d.campaign_id, p_now);
  if d.covered_cents > 0 then
    perform uncover_dispute(d, d.covered_cents, p_movements::text, p_now);
  end if;
  loop
    -- One by one, because netting changes others. Those that the provider has paid as well come first, since it knows them by
    -- their ids.
    select * into part from refund_parts where dispute_id = d.id
      order by exists (select from over_refunds where part_id = refund_parts.id and outcome is null) desc, refund_id, id limit 1;
    exit when not found;
    perform lock_refund_part(part.id);
    perform post_transfer('refund-owed-again:' || part.id || ':' || d.id || ':' || p_movements, receivable,
      account_of('REFUNDS_OWED', null), part.amount_cents, d.campaign_id, p_now);
    owed := net_over_refunds(part, 'refund-once:' || part.id || ':' || d.id || ':' || p_movements, p_now);
    continue when owed is null;
    -- If the developer may already have the money, an admin decides, because only an admin knows who has what was settled with
    -- them.
    update refund_parts set status = 'PENDING', settled_at = null, dispute_id = null, stuck_since = (
        select p_now from over_refunds o join refund_parts p on p.id = o.part_id
          where p.refund_id = part.refund_id and p.payment_id = part.payment_id and o.outcome is distinct from 'CAME_BACK' limit 1)
      where id = owed;
    update refunds set status = 'PENDING', settled_at = null where id = part.refund_id;
    update transactions set status = 'PENDING' where source_id = part.refund_id and type = 'CREDIT' and status = 'COMPLETED';
  end loop;
  perform unsettle_debt(d.id, d.settled_cents, p_now);
  update disputes set status = 'WON', closed_at = p_at, covered_cents = 0, set_off_cents = 0, movements = p_movements where id = d.id;
  if d.covered_cents > 0 then
    insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
      select developer_id, 'DEBIT', 'COMPLETED', d.covered_cents, 'Returned by your bank', id,
        -- A trigger inserted it on the update.
        (select dispute_covers.id from dispute_covers where dispute_id = d.id order by seq desc limit 1), p_now
      from campaigns where id = d.campaign_id;
  end if;
  update campaigns set after_dispute = true,
    dispute_lost_at = (select min(closed_at) from disputes where campaign_id = d.campaign_id and status = 'LOST')
    where id = d.campaign_id;
  perform offer_seats(d.campaign_id, false, p_now);
  return true;
end $$;
