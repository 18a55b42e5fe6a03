-- If some of a part of a refund was not paid with the rest, splits p_cents off as a part of its own, which is owed. The caller
-- has locked the part, and posts what moves.
create or replace function split_refund_part(p_part uuid, p_cents bigint) returns void language plpgsql as $$
begin
  update refund_parts set amount_cents = amount_cents - p_cents where id = p_part;
  insert into refund_parts (refund_id, payment_id, counterparty, amount_cents, status)
    select refund_id, payment_id, counterparty, p_cents, 'PENDING' from refund_parts where id = p_part;
end $$;
