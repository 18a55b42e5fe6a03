-- By how much a payment's refunds and what banks have taken back of it exceed it; 0 or less if they do not. What was set off is
-- in both, and counts once.
create or replace function beyond_payment(p_payment uuid) returns bigint language sql stable as $$
  select ((select coalesce(sum(amount_cents - set_off_cents), 0) from disputes where payment_id = p_payment and status = 'LOST')
    + (select coalesce(sum(amount_cents), 0) from refund_parts where payment_id = p_payment)
    - (select amount_cents from payments where id = p_payment))::bigint
$$;
