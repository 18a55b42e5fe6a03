-- Escrow and held fee of a campaign are, to the cent, what it may still have to pay: while it runs, for every seat that is
-- neither verified nor closed; afterwards, for every proof under review and every rejection that is not final. The last of all
-- seats takes the fee's rounding. While a dispute is open, and until its consequences are handled, more may be held, because
-- nothing is refunded.
with settled as (
  select c.*, c.verified_testers + c.closed_seats as settled_seats, c.quoted_fee_cents / c.testers_required as fee_share
  from campaigns c /*touched where c.id = any (:touched) */
), owed as (
  select s.*, s.testers_required - s.settled_seats as unpaid_seats,
    s.quoted_fee_cents - s.settled_seats * s.fee_share as rest_of_fee
  from settled s
), sums as (
  select c.id, c.status, c.disputed_since is not null or c.after_dispute as waits,
    coalesce(escrow.balance_cents, 0) as escrow_cents, coalesce(fee.balance_cents, 0) as held_fee_cents,
    case
      when c.status in ('DRAFT', 'REJECTED') then c.funded_cents
      when c.status in ('COMPLETED', 'CANCELLED') then c.open_testers * c.pay_per_tester_cents
      else c.unpaid_seats * c.pay_per_tester_cents end as owed_pay,
    case
      when c.status in ('DRAFT', 'REJECTED') then c.fee_cents
      when c.status in ('COMPLETED', 'CANCELLED') and c.open_testers < c.unpaid_seats then c.open_testers * c.fee_share
      when c.unpaid_seats = 0 then 0
      else c.rest_of_fee end as owed_fee
  from owed c
  left join accounts escrow on escrow.kind = 'CAMPAIGN_ESCROW' and escrow.owner_id = c.id
  left join accounts fee on fee.kind = 'CAMPAIGN_FEE' and fee.owner_id = c.id
)
select id, status, escrow_cents, held_fee_cents, owed_pay, owed_fee,
  abs(escrow_cents - owed_pay) + abs(held_fee_cents - owed_fee) as off_cents
from sums
where case when waits then escrow_cents < owed_pay or held_fee_cents < owed_fee
  else escrow_cents <> owed_pay or held_fee_cents <> owed_fee end;
