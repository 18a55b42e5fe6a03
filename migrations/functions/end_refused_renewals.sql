-- Ends the renewals of these campaigns that could no longer be accepted, for example after a refund; whatever is paid anyway is
-- refunded. Returns the charges. The caller has locked the campaigns' rows.
create or replace function end_refused_renewals(p_campaigns uuid[], p_now timestamptz) returns uuid[] language plpgsql as $$
declare ended uuid[];
begin
  with marked as (
    update charges ch set ended_at = p_now from campaigns c
      where ch.campaign_id = any (p_campaigns) and ch.status = 'PENDING' and ch.ended_at is null and ch.renews
        and c.id = ch.campaign_id and not renewal_fits(c, ch.pay_cents + ch.fee_cents)
      returning ch.id
  )
  select coalesce(array_agg(id), '{}') into ended from marked;
  return ended;
end $$;
