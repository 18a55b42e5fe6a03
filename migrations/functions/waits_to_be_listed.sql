-- Whether a tester still waits for the developer to list them: not listed, and never opted in. A tester who has not accepted the
-- NDA that joining asked for is not waiting for the developer.
create or replace function waits_to_be_listed(c campaigns, p participations) returns boolean language sql stable as $$
  select c.access_mode <> 'OPEN_LINK' and p.status = 'ACTIVE' and p.listed_at is null and p.opted_in_at is null
    and (p.nda_joined is null or p.nda_accepted is not null)
    and not exists (select from opt_in_runs where participation_id = p.id)
$$;
