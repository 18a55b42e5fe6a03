-- A developer's statement adds up to what the developer's campaigns say was paid in, net of refunds.
select u.id, c.cents as campaigns_cents, t.cents as statement_cents, c.cents - t.cents as off_cents
from users u
cross join lateral (
  select coalesce(sum(funded_cents + fee_cents), 0) as cents from campaigns where developer_id = u.id
) c
cross join lateral (
  select coalesce(sum(case when type = 'CREDIT' then -amount_cents else amount_cents end), 0) as cents
  from transactions where user_id = u.id and status <> 'FAILED'
) t
where u.role = 'DEVELOPER' and c.cents <> t.cents /*touched and u.id = any (:touched) */;
