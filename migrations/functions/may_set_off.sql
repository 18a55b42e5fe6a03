-- Whether nobody else may be paying this part of a refund: neither the provider, which was asked for it or paid some of it before
-- a restore, nor an admin, who has recorded that it was paid by other means.
create or replace function may_set_off(p_part refund_parts) returns boolean language sql stable as $$
  select p_part.status = 'PENDING' and coalesce(p_part.covered_cents, 0) = 0
    and not exists (select from provider_calls where subject_id = p_part.id and status = 'PENDING' and sent_at is not null)
    and not exists (select from outside_refunds where part_id = p_part.id and outcome is null)
$$;
