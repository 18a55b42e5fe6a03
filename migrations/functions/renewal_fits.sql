-- Whether a payment of this much can still renew the campaign's money in escrow: the earlier payments must be able to give back as
-- much.
create or replace function renewal_fits(c campaigns, p_cents bigint) returns boolean language sql stable as $$
  select is_renewable(c) and p_cents <= left_to_refund(c.id)
$$;
