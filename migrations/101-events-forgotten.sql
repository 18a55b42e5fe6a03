-- no transaction
-- What Stripe told is emptied once it is old, or whom it speaks of has left: names and addresses stand in it.
create index concurrently if not exists provider_events_kept on provider_events (processed_at) where payload <> '{}';
create index concurrently if not exists provider_events_of_campaign
  on provider_events ((payload -> 'data' -> 'object' -> 'metadata' ->> 'campaign')) where payload <> '{}';
create index concurrently if not exists provider_events_of_object
  on provider_events ((payload -> 'data' -> 'object' ->> 'id')) where payload <> '{}';
