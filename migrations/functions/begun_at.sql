-- Since when a test whose days no opt-in counts has begun (`begunAt` of src/participations/situation.ts): since joining, or since
-- the NDA that joining asked for was accepted or taken back; null while it is asked for.
create or replace function begun_at(p participations) returns timestamptz language sql immutable as $$
  select case when p.nda_joined is null then greatest(p.joined_at, p.nda_lifted_at) else p.nda_accepted_at end
$$;
