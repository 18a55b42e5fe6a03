-- Locks a part of a refund, after the refund, whose lock keeps settling its parts one after the other. Before both it takes a
-- shared lock of the campaign, as every transfer does: whoever settles the campaign's disputes locks it exclusively, and then the
-- refunds. All null if there is no such part.
create or replace function lock_refund_part(p_part uuid) returns refund_parts language plpgsql as $$
declare part refund_parts;
begin
  perform from campaigns where id = (select campaign_id from refund_parts join refunds on refunds.id = refund_id
    where refund_parts.id = p_part) for key share;
  perform from refunds join refund_parts on refund_parts.refund_id = refunds.id
    where refund_parts.id = p_part for update of refunds;
  select * into part from refund_parts where id = p_part for update;
  return part;
end $$;
