-- Whether a renewal of the campaign's money in escrow is wanted; src/campaigns/escrow.ts lists the same states.
create or replace function is_renewable(c campaigns) returns boolean language sql stable as $$
  select c.renewal_asked_at is not null and c.status in ('PENDING_APPROVAL', 'APPROVED', 'LIVE', 'PAUSED')
    and c.disputed_since is null and c.dispute_lost_at is null
$$;
