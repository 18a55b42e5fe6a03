-- What the payments for a campaign can still give back; refund_surpluses divides it in the same way.
create or replace function left_to_refund(p_campaign uuid) returns bigint language sql stable as $$
  select coalesce(sum(greatest(p.amount_cents
    - coalesce((select sum(amount_cents) from refund_parts where payment_id = p.id), 0)
    - coalesce((select sum(amount_cents - set_off_cents) from disputes where payment_id = p.id and status = 'LOST'), 0), 0)), 0)::bigint
  from payments p where p.campaign_id = p_campaign and p.status = 'COMPLETED'
$$;
