-- no transaction
-- When this installation first asked a provider for anything: what moved there before is not of our books.
create index concurrently if not exists provider_calls_first on provider_calls (provider, created_at);
