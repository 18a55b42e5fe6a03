-- A campaign is frozen while a payment of it is disputed. The money of each lost dispute has left the provider's cash once more
-- than it came back, and is covered by what the campaign had no use for; no other dispute is covered. Refunds that a lost dispute
-- has paid are set off against it. What was paid to the operator counts, or is to be given back, until it has been; what was waived
-- is never given back.
select 'campaign' as what, c.id, null::bigint as cents, null::bigint as booked
from campaigns c
left join lateral (select min(coalesce(reopened_at, opened_at)) filter (where status = 'OPEN') as since,
  min(closed_at) filter (where status = 'LOST') as lost_at from disputes where campaign_id = c.id) d on true
where c.disputed_since is distinct from d.since or c.dispute_lost_at is distinct from d.lost_at
union all
select 'payment', d.id, null, null from disputes d join payments p on p.id = d.payment_id
where p.campaign_id <> d.campaign_id or p.status <> 'COMPLETED'
union all
select 'lost', d.id, d.amount_cents, t.cents
from disputes d cross join lateral (
  select coalesce(sum(case when starts_with(business_key, 'dispute-lost:') then amount_cents else -amount_cents end), 0) as cents
  from transfers where campaign_id = d.campaign_id
    and (business_key = 'dispute-lost:' || d.id or starts_with(business_key, 'dispute-lost:' || d.id || ':')
      or starts_with(business_key, 'dispute-returned:' || d.id || ':'))) t
where t.cents <> case d.status when 'LOST' then d.amount_cents else 0 end
union all
select 'covered', d.id, d.covered_cents, t.cents
from disputes d cross join lateral (
  select coalesce(sum(case when starts_with(business_key, 'covered-') then amount_cents else -amount_cents end), 0) as cents
  from transfers where campaign_id = d.campaign_id
    and (starts_with(business_key, 'covered-pay:' || d.id || ':') or starts_with(business_key, 'covered-fee:' || d.id || ':')
      or starts_with(business_key, 'uncovered-pay:' || d.id || ':') or starts_with(business_key, 'uncovered-fee:' || d.id || ':'))) t
where t.cents <> d.covered_cents
union all
select 'set off', d.id, d.set_off_cents, p.cents
from disputes d cross join lateral (
  select coalesce(sum(amount_cents), 0) as cents from refund_parts where dispute_id = d.id) p
where p.cents <> d.set_off_cents
union all
select 'settled', d.id, d.settled_cents - d.waived_cents + d.give_back_cents, s.cents
from disputes d cross join lateral (
  select coalesce(sum(case kind when 'PAID' then amount_cents when 'GIVEN_BACK' then -amount_cents end), 0) as cents,
    coalesce(sum(amount_cents) filter (where kind = 'WAIVED'), 0) as waived
  from dispute_settlements where dispute_id = d.id) s
where s.cents <> d.settled_cents - d.waived_cents + d.give_back_cents or d.waived_cents > s.waived;
