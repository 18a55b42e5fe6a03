-- A developer is asked to pay anew for what is in escrow; the old payments are refunded once the new one is paid (decision 060).

-- Since when; null while nobody is asked.
alter table campaigns add column renewal_asked_at timestamptz;
-- It pays anew for what is in escrow, instead of for a draft.
alter table charges add column renews boolean not null default false;

alter table escrow_decisions drop constraint escrow_decisions_decision_check;
alter table escrow_decisions add constraint escrow_decisions_decision_check
  check (decision in ('EXTENDED', 'RENEWAL_ASKED', 'CANCELLED')) not valid;

-- Open pages of the owner and of admins show who is asked, and that it is paid.
create function tell_of_renewal() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id) values (new.developer_id, 'CAMPAIGN', new.id);
  return null;
end $$;
create trigger campaigns_renewal_told after update of renewal_asked_at on campaigns for each row
  when (old.renewal_asked_at is distinct from new.renewal_asked_at) execute function tell_of_renewal();
create trigger campaigns_renewal_queued after update of renewal_asked_at on campaigns for each row
  when (old.renewal_asked_at is not null and new.renewal_asked_at is null) execute function tell_admins();
