-- All money inside came from the provider: what people, campaigns and the platform hold together is the provider's cash.
with totals as (
  select a.kind,
    coalesce((select sum(amount_cents) from transfers where credit_account_id = a.id), 0)
      - coalesce((select sum(amount_cents) from transfers where debit_account_id = a.id), 0) as cents
  from accounts a
)
select sum(cents) as cents_out_of_balance from totals having sum(cents) <> 0;
