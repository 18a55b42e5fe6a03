-- Marks a part of a refund as paid. The last part completes the refund and its line on the statement. The caller has locked both.
create or replace function complete_refund_part(p_part uuid, p_now timestamptz) returns void language plpgsql as $$
declare refund uuid;
begin
  update refund_parts set status = 'COMPLETED', settled_at = p_now where id = p_part returning refund_id into refund;
  if exists (select from refund_parts where refund_id = refund and status = 'PENDING') then return; end if;
  update refunds set status = 'COMPLETED', settled_at = p_now where id = refund;
  update transactions set status = 'COMPLETED' where source_id = refund and status = 'PENDING';
end $$;
