-- Money in escrow has a day by which an admin has to decide about it, and is found by the list of campaigns that are due.
select c.id, c.status, c.escrow_since, c.escrow_due_at, a.kind, a.balance_cents
from accounts a join campaigns c on c.id = a.owner_id
where a.kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE') and a.balance_cents > 0
  and (c.escrow_since is null or c.escrow_due_at is null
    or c.status in ('COMPLETED', 'CANCELLED') and c.open_testers = 0 and c.disputed_since is null and not c.after_dispute);
