-- The platform pays from its own revenue exactly the appeals that nobody decided: in full, and once each. It never spends more
-- than it has earned.
select coalesce(a.participation_id::text, t.business_key) as what, c.pay_per_tester_cents as due_cents, t.amount_cents as paid_cents
from (select * from appeals where outcome = 'PLATFORM') a
  join participations p on p.id = a.participation_id join campaigns c on c.id = p.campaign_id
  full join (select * from transfers where debit_account_id = (select id from accounts where kind = 'PLATFORM_REVENUE')) t
    on t.business_key = 'appeal-goodwill:' || a.participation_id
where t.amount_cents is distinct from c.pay_per_tester_cents
union all
select 'revenue', earned, spent from (select
  (select coalesce(sum(amount_cents), 0) from transfers where credit_account_id = r.id) as earned,
  (select coalesce(sum(amount_cents), 0) from transfers where debit_account_id = r.id) as spent
  from accounts r where r.kind = 'PLATFORM_REVENUE') sums where spent > earned;
