-- When a test whose days are not counted from opt-ins began (`begunAt` of src/participations/situation.ts): when the tester
-- joined, or when the NDA that joining asked for was accepted or withdrawn; null while it is asked for.
create or replace function begun_at(p participations) returns timestamptz language sql immutable as $$
  select case when p.nda_joined is null then greatest(p.joined_at, p.nda_lifted_at) else p.nda_accepted_at end
$$;
