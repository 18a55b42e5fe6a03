-- Whether nothing of a payment is refunded for now, because a bank may take its money back, or what banks have taken leaves too
-- little for its refunds.
create or replace function is_kept_by_dispute(p_payment uuid) returns boolean language sql stable as $$
  select exists (select from disputes where payment_id = p_payment and status = 'OPEN')
    or exists (select from disputes where payment_id = p_payment and status = 'LOST') and beyond_payment(p_payment) > 0
$$;
