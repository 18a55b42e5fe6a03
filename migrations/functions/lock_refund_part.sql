-- Locks a part of a refund, and before it the refund, under whose lock its parts are settled one after the other. Before both it
-- holds the campaign, as every transfer does: who settles its disputes holds it alone, and then the refunds. All null where there is no
-- such part.
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
