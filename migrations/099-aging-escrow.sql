-- Money that has been in escrow for too long: an admin decides what becomes of it (decision 060).

-- Since when money of the campaign has been in escrow, and when an admin has to decide at the latest. Null before its first payment.
alter table campaigns add column escrow_since timestamptz;
alter table campaigns add column escrow_due_at timestamptz;

create table escrow_decisions (
  id bigint generated always as identity primary key,
  campaign_id uuid not null references campaigns (id),
  decision text not null check (decision in ('EXTENDED', 'CANCELLED')),
  admin_id uuid not null references users (id),
  reason text not null,
  decided_at timestamptz not null
);
create index escrow_decisions_of_campaign on escrow_decisions (campaign_id, id);
create index escrow_decisions_of_admin on escrow_decisions (admin_id);
create trigger escrow_decisions_told after insert on escrow_decisions for each row execute function tell_admins();
