-- The platform pays exactly the appeals that nobody decided, from its own revenue, in full and once each. It never spends more
-- than it has earned.
select coalesce(a.participation_id::text, t.business_key) as id, c.pay_per_tester_cents as due_cents, t.amount_cents as paid_cents,
  coalesce(t.amount_cents, 0) - coalesce(c.pay_per_tester_cents, 0) as off_cents
from (select * from appeals where outcome = 'PLATFORM'
  /*touched and participation_id = any (:touched) */) a
  join participations p on p.id = a.participation_id join campaigns c on c.id = p.campaign_id
  full join (select * from transfers where debit_account_id = (select id from accounts where kind = 'PLATFORM_REVENUE')
    /*touched and business_key = any (:keys || array(select 'appeal-goodwill:' || id from unnest(:touched) id)) */) t
    on t.business_key = 'appeal-goodwill:' || a.participation_id
where t.amount_cents is distinct from c.pay_per_tester_cents
union all
select 'revenue', earned, spent, spent - earned from (select
  (select coalesce(sum(amount_cents), 0) from transfers where credit_account_id = r.id) as earned,
  (select coalesce(sum(amount_cents), 0) from transfers where debit_account_id = r.id) as spent
  from accounts r where r.kind = 'PLATFORM_REVENUE') sums
where spent > earned /*touched and false */;
