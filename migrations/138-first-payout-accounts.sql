-- no transaction
-- When this installation first asked Stripe for anything may be the opening of a payout account.
create index concurrently if not exists payout_accounts_first on payout_accounts (created_at);
