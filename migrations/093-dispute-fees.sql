-- What the provider keeps for a dispute, whoever wins it.
alter table disputes add column provider_fee_cents bigint not null default 0;
