-- A refund is divided over the campaign's payments when it is made: a part for each payment that gives money back, with
-- the payment method that was charged. Each part is paid out and settled by itself.

-- The order in which a campaign's payments were taken. Ids and times come from the clocks of several servers; this is
-- given under the lock of the campaign.
alter table payments add column seq bigint;
update payments set seq = placed.place
  from (select id, row_number() over (order by created_at, id) as place from payments) placed where placed.id = payments.id;
alter table payments alter column seq set not null;
alter table payments alter column seq add generated always as identity;
select setval(pg_get_serial_sequence('payments', 'seq'), coalesce(max(seq), 0) + 1, false) from payments;

create table refund_parts (
  -- The id under which the provider is asked.
  id uuid primary key default gen_random_uuid(),
  refund_id uuid not null references refunds (id),
  payment_id uuid not null references payments (id),
  -- The payment method that was charged.
  counterparty text not null,
  amount_cents bigint not null check (amount_cents > 0),
  status text not null check (status in ('PENDING', 'COMPLETED')),
  settled_at timestamptz,
  unique (refund_id, payment_id),
  check ((status = 'PENDING') = (settled_at is null))
);
create index refund_parts_of_payment on refund_parts (payment_id) include (amount_cents);
create index refund_parts_pending on refund_parts (refund_id) where status = 'PENDING';

-- Refunds until now went to one payment as a whole, and the provider knows them by their own ids.
insert into refund_parts (id, refund_id, payment_id, counterparty, amount_cents, status, settled_at)
  select r.id, r.id, r.payment_id, p.counterparty, r.amount_cents, r.status, r.settled_at
  from refunds r join payments p on p.id = r.payment_id;
alter table refunds drop column payment_id;

drop function if exists settle_refund(uuid, timestamptz);
