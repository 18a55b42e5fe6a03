-- no transaction
alter table disputes validate constraint disputes_settled;
alter table disputes validate constraint disputes_give_back;
-- What developers still owe, or have to get back: a list for admins.
create index concurrently if not exists disputes_unsettled on disputes (seq)
  where status = 'LOST' and covered_cents + set_off_cents + settled_cents < amount_cents or give_back_cents > 0;
create index concurrently if not exists disputes_to_give_back on disputes (give_back_since) where give_back_cents > 0;
