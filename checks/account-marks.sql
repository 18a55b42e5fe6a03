-- Each mark of a platform account's balance is the sum of its transfers up to that mark.
select m.account_id, m.up_to, m.balance_cents, m.before + moved.cents as should_be
from (
  select *, lag(up_to, 1, 0::bigint) over past as since, lag(balance_cents, 1, 0::bigint) over past as before
  from account_marks window past as (partition by account_id order by up_to)
) m cross join lateral (
  select (select coalesce(sum(amount_cents), 0) from transfers
      where credit_account_id = m.account_id and id > m.since and id <= m.up_to)
    - (select coalesce(sum(amount_cents), 0) from transfers
      where debit_account_id = m.account_id and id > m.since and id <= m.up_to) as cents
) moved
where m.balance_cents <> m.before + moved.cents
