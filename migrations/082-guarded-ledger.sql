-- Whoever is connected, the owner of the tables included: transfers are written and balances are changed by post_phases
-- alone, which carries the mark `fieldtest.posting` while it runs (decision 052). Accounts stay what they were made.
create function refuse_unposted() returns trigger language plpgsql as $$
begin
  raise exception '% are written by post_phases alone', tg_table_name using errcode = '0A000';
end $$;

create trigger accounts_stay before delete or truncate on accounts
  for each statement execute function refuse_change();
create trigger accounts_unchanged before update on accounts
  for each row when ((old.id, old.kind, old.owner_id) is distinct from (new.id, new.kind, new.owner_id))
  execute function refuse_change();
create trigger accounts_posted before update on accounts
  for each statement when (current_setting('fieldtest.posting', true) is distinct from 'on')
  execute function refuse_unposted();
create trigger accounts_begin_empty before insert on accounts
  for each row when (new.balance_cents <> 0 and current_setting('fieldtest.posting', true) is distinct from 'on') execute function refuse_unposted();
create trigger transfers_posted before insert on transfers
  for each statement when (current_setting('fieldtest.posting', true) is distinct from 'on')
  execute function refuse_unposted();
