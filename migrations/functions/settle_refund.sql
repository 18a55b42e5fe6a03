-- The provider has paid a refund out: the money leaves transit.
create or replace function settle_refund(p_refund uuid, p_now timestamptz) returns text language plpgsql as $$
declare r refunds;
begin
  select * into r from refunds where id = p_refund for update;
  if not found then return 'NOT_FOUND'; end if;
  if r.status <> 'PENDING' then return 'WRONG_STATE'; end if;
  perform post_transfer('refund-out:' || r.id, account_of('REFUNDS_IN_TRANSIT', null),
    account_of('PROVIDER_CASH', null), r.amount_cents, r.campaign_id, p_now);
  update refunds set status = 'COMPLETED', settled_at = p_now where id = r.id;
  update transactions set status = 'COMPLETED' where source_id = r.id and status = 'PENDING';
  return 'OK';
end $$;
