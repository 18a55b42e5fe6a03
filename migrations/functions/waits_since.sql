-- Since when a tester can be listed (`waitingSince` of src/participations/deadlines.ts): not before the test has begun.
create or replace function waits_since(p participations) returns timestamptz language sql immutable as $$
  select greatest(coalesce(begun_at(p), p.joined_at), p.no_access_at)
$$;
