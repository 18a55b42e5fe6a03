-- A campaign that can still pay has the money for it: every open seat while it runs, every proof under review after.
select c.id, c.status, escrow.balance_cents as escrow_cents, fee.balance_cents as held_fee_cents
from campaigns c
left join accounts escrow on escrow.kind = 'CAMPAIGN_ESCROW' and escrow.owner_id = c.id
left join accounts fee on fee.kind = 'CAMPAIGN_FEE' and fee.owner_id = c.id
where coalesce(escrow.balance_cents, 0) <> case
    when c.status in ('PENDING_APPROVAL', 'APPROVED') then c.testers_required * c.pay_per_tester_cents
    when c.status in ('LIVE', 'PAUSED') then (c.testers_required - c.verified_testers) * c.pay_per_tester_cents
    when c.status in ('COMPLETED', 'CANCELLED') then c.open_testers * c.pay_per_tester_cents
    else c.funded_cents end
  or (c.status in ('COMPLETED', 'CANCELLED') and c.open_testers = 0 and coalesce(fee.balance_cents, 0) <> 0)
  or (c.status in ('PENDING_APPROVAL', 'APPROVED') and coalesce(fee.balance_cents, 0) <> c.quoted_fee_cents);
