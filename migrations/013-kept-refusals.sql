-- A payment provider's refusal is kept under its idempotency key and given again, as a reply is (decision 012).
alter table idempotency_keys add column refusal jsonb;
alter table idempotency_keys add check (refusal is null or reply is null);

-- When the payout job took a withdrawal up, to ask the provider: a suspension before that stops it, a later one does not.
alter table withdrawals add column claimed_at timestamptz;
