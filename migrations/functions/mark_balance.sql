-- Marks the balance of an account that carries none after its next p_every transfers, as far as these are final. Returns the
-- transfer up to which it is marked; null if there are fewer.
create or replace function mark_balance(p_account bigint, p_every int) returns bigint language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  final bigint;
  since bigint := 0;
  before bigint := 0;
  reached bigint;
  moved bigint;
  lines int;
begin
  select h.up_to into final from ledger_horizon h;
  perform from accounts where id = p_account and balance_cents is null;
  if not found then raise exception 'account % carries its balance itself', p_account; end if;
  select m.up_to, m.balance_cents into since, before from account_marks m where m.account_id = p_account
    order by m.up_to desc limit 1;
  if not found then since := 0; before := 0; end if;
  select max(id), sum(cents), count(*) into reached, moved, lines from (
    select id, cents from (
      (select id, -amount_cents as cents from transfers where debit_account_id = p_account and id > since and id <= final
        order by id limit p_every)
      union all
      (select id, amount_cents from transfers where credit_account_id = p_account and id > since and id <= final
        order by id limit p_every)
    ) either order by id limit p_every
  ) next;
  if lines < p_every then return null; end if;
  insert into account_marks values (p_account, reached, before + moved) on conflict do nothing;
  return reached;
end $$;
