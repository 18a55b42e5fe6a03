-- A tester's statement adds up to the balance: credits and returned withdrawals, less every withdrawal.
select u.id, balance_of_tester(u.id) as balance_cents, coalesce(sum(
  case when t.type = 'CREDIT' then t.amount_cents else -t.amount_cents end), 0) as statement_cents,
  balance_of_tester(u.id) - coalesce(sum(
  case when t.type = 'CREDIT' then t.amount_cents else -t.amount_cents end), 0) as off_cents
from users u left join transactions t on t.user_id = u.id
where u.role = 'TESTER' /*touched and u.id = any (:touched) */
group by u.id
having balance_of_tester(u.id) <> coalesce(sum(
  case when t.type = 'CREDIT' then t.amount_cents else -t.amount_cents end), 0);
