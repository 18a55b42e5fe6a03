-- Until when seats were promised to testers on a bench whose offers a pause or a dispute has taken back: each for 24 hours since
-- its tester was told.
create or replace function promises_of_seats(p_campaign uuid) returns setof timestamptz stable language sql as $$
  select after_downtimes(told_at, 24) from bench_entries
    where campaign_id = p_campaign and offered_at is null and told_at is not null;
$$;
