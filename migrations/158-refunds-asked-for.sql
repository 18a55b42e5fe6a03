-- What the provider was asked for of a part of a refund: a bank may pay some of it afterwards.
alter table provider_calls add column amount_cents bigint;
-- Since when nobody can join a campaign because of disputes: when they are won, its end moves by that time.
alter table campaigns add column frozen_at timestamptz;
