-- What a bank takes back of a payment whose refund is still owed, it has given back: the refund is set off against it.
alter table disputes add column set_off_cents bigint not null default 0;
alter table disputes add constraint disputes_set_off check (set_off_cents >= 0 and covered_cents + set_off_cents <= amount_cents
  and (status = 'LOST' or set_off_cents = 0)) not valid;

-- Whose bank has given this part back, instead of the provider.
alter table refund_parts add column dispute_id uuid references disputes (id);
alter table refund_parts add constraint refund_parts_set_off check (dispute_id is null or status = 'COMPLETED') not valid;
