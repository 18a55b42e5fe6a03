-- A payout account that is opened or removed in one tab shows in the others: an update alone was told.
create trigger payout_accounts_opened_told after insert on payout_accounts for each row
  execute function tell_of_payout_account();

create function tell_of_removed_payout_account() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic) values (old.user_id, 'MONEY');
  return null;
end $$;
create trigger payout_accounts_removed_told after delete on payout_accounts for each row
  execute function tell_of_removed_payout_account();
