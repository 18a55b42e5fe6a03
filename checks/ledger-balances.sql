-- Every balance that an account carries is the sum of its credits minus its debits.
select a.id, a.kind, a.owner_id, a.balance_cents, coalesce(c.cents, 0) - coalesce(d.cents, 0) as transferred_cents,
  a.balance_cents - coalesce(c.cents, 0) + coalesce(d.cents, 0) as off_cents
from accounts a
left join (select credit_account_id as id, sum(amount_cents) as cents from transfers
  /*touched where credit_account_id = any (:accounts) */ group by 1) c on c.id = a.id
left join (select debit_account_id as id, sum(amount_cents) as cents from transfers
  /*touched where debit_account_id = any (:accounts) */ group by 1) d on d.id = a.id
where a.balance_cents is not null and a.balance_cents <> coalesce(c.cents, 0) - coalesce(d.cents, 0)
  /*touched and a.id = any (:accounts) */;
