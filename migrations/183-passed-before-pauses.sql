-- A seat whose time to accept it was over before a pause or a dispute withdraws the offers was let pass, and was not taken back. Its
-- tester is told of that, as pass_seats would have told them. Null for no.
alter table bench_entries add column pass_untold boolean;

create or replace function withdraw_offers() returns trigger language plpgsql as $$
declare
  -- This trigger runs before the one that records and clears status_changed_at. A dispute that is opened again sets no frozen_at.
  withdrawn_at timestamptz := case when new.status <> old.status then new.status_changed_at
    else coalesce(new.frozen_at, new.disputed_since) end;
begin
  with over as materialized (
    select id, nextval('bench_places') as next_place from (
      select id from bench_entries
      where campaign_id = new.id and offered_at is not null and after_downtimes(offered_at, 24) <= withdrawn_at
      order by place) held
  )
  update bench_entries e set offered_at = null, offer_ends_at = null, told = false, taken_back = null, passes = passes + 1,
    place = next_place, pass_untold = true from over where e.id = over.id;
  update bench_entries set offered_at = null, offer_ends_at = null, taken_back = coalesce(taken_back, nullif(told, false)), told = false
    where campaign_id = new.id and offered_at is not null;
  new.offered_seats := 0;
  return new;
end $$;
