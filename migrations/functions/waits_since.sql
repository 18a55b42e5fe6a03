-- Since when a tester can be put on the list (`waitingSince` of src/participations/deadlines.ts): since joining, or since
-- accepting the NDA that joining asked for.
create or replace function waits_since(p participations) returns timestamptz language sql immutable as $$
  select case when p.nda_joined is null then p.joined_at else greatest(p.joined_at, p.nda_accepted_at) end
$$;
