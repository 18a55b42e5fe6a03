-- What a developer owes for a lost dispute may be settled with the operator outside of the product (decision 054): paid by other
-- means, or waived. If the bank returns the payment, or the campaign's money or a refund covers it after all, the developer gets
-- what they paid back from the operator.
alter table disputes add column settled_cents bigint not null default 0;
-- The part of it that was waived.
alter table disputes add column waived_cents bigint not null default 0;
-- What was paid by other means and is no longer owed, until an admin records that it was given back, and since when.
alter table disputes add column give_back_cents bigint not null default 0;
alter table disputes add column give_back_since timestamptz;
alter table disputes add constraint disputes_settled check (waived_cents between 0 and settled_cents
  and covered_cents + set_off_cents + settled_cents <= amount_cents and (status = 'LOST' or settled_cents = 0)) not valid;
alter table disputes add constraint disputes_give_back check (give_back_cents >= 0
  and (give_back_cents > 0) = (give_back_since is not null)) not valid;

-- What admins record of it, with how it was done.
create table dispute_settlements (
  id uuid primary key,
  dispute_id uuid not null references disputes (id),
  kind text not null check (kind in ('PAID', 'WAIVED', 'GIVEN_BACK')),
  amount_cents bigint not null check (amount_cents > 0),
  -- For admins. Null once the developer's account is deleted.
  note text,
  recorded_by uuid not null references users (id),
  recorded_at timestamptz not null
);
create index dispute_settlements_of_dispute on dispute_settlements (dispute_id, recorded_at);
create index dispute_settlements_recorded_by on dispute_settlements (recorded_by);
