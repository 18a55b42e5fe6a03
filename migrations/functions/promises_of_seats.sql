-- Until when seats are promised to testers on a bench whose offers a pause or a dispute took back: for 24 hours from when each
-- tester was told.
create or replace function promises_of_seats(p_campaign uuid) returns setof timestamptz stable language sql as $$
  select after_downtimes(told_at, 24) from bench_entries
    where campaign_id = p_campaign and offered_at is null and told_at is not null;
$$;
