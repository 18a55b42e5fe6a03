-- The balance of an account after a transfer and all transfers before it, counted from its last mark or, without marks, from its
-- beginning. Callers make sure that the transfer is final (settled_sequence), or ask for everything that one snapshot sees.
create or replace function balance_after(p_account bigint, p_transfer bigint) returns bigint language plpgsql stable as $$
declare
  since bigint;
  before bigint;
begin
  select up_to, balance_cents into since, before from account_marks
    where account_id = p_account and up_to <= p_transfer order by up_to desc limit 1;
  return coalesce(before, 0)
    + (select coalesce(sum(amount_cents), 0) from transfers
        where credit_account_id = p_account and id > coalesce(since, 0) and id <= p_transfer)
    - (select coalesce(sum(amount_cents), 0) from transfers
        where debit_account_id = p_account and id > coalesce(since, 0) and id <= p_transfer);
end $$;
