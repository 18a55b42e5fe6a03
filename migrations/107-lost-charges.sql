-- What Stripe did before a restore. A charge that nobody here knows of goes back whole; what Stripe kept of it is booked.
alter table lost_movements drop constraint lost_movements_kind_check;
alter table lost_movements add constraint lost_movements_kind_check check (kind in ('PAYOUT', 'REFUND', 'CHARGE')) not valid;
alter table lost_movements add column provider text not null default 'sandbox';
-- Of a charge, whose of_id is its campaign: what the provider kept, the provider's own id of the payment, what it is asked to give
-- back under, and when it was first asked. booked_at: it has all gone back.
alter table lost_movements add column fee_cents bigint;
alter table lost_movements add column reference text;
alter table lost_movements add column refund_key text;
alter table lost_movements add column sent_at timestamptz;
alter table lost_movements add constraint lost_movements_charge_check check (
  (kind = 'CHARGE') = (fee_cents is not null and reference is not null and refund_key is not null)) not valid;
