-- A verified tester was paid in full and once; a cancelled one for the days done (also after refusing a changed NDA), or for one
-- day after waiting in vain to be listed; nobody else was paid.
with paid as (
  select substr(business_key, strpos(business_key, ':') + 1) as test_id, count(*) as transfers, sum(amount_cents) as cents
  from transfers
  where split_part(business_key, ':', 1) in ('verify-pay', 'cancel-pay', 'waiting-pay', 'nda-pay', 'appeal-goodwill')
    /*touched and business_key = any (array(select kind || id from unnest(:touched) id,
      (values ('verify-pay:'), ('cancel-pay:'), ('waiting-pay:'), ('nda-pay:'), ('appeal-goodwill:')) kinds (kind))) */
  group by 1
), expected as (
  select id, status, payout_amount_cents, case when status in ('VERIFIED', 'CANCELLED') then payout_amount_cents else 0 end as cents
  from participations /*touched where id = any (:touched) */
)
select e.id, e.status, e.payout_amount_cents, coalesce(p.cents, 0) as paid_cents, coalesce(p.cents, 0) - e.cents as off_cents
from expected e left join paid p on p.test_id = e.id::text
where p.transfers > 1 or coalesce(p.cents, 0) <> e.cents;
