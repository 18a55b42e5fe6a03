-- Time during which the product was down or paused counts towards no deadline of a person (decision 045).

-- When a server last said that the product runs: one row for all of them, by PostgreSQL's clock and never by the test clock.
create table heartbeat (
  only_row boolean primary key default true check (only_row),
  beat_at timestamptz not null
);

create table downtimes (
  id bigint generated always as identity primary key,
  -- RESTORED: from the last heartbeat of a restored copy to its start.
  cause text not null check (cause in ('DOWN', 'RESTORED', 'PAUSED')),
  -- By the product's clock, like the deadlines. Null while a pause goes on.
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  -- The last heartbeat before it, which is the same for every server that finds it; or the pause.
  last_beat_at timestamptz unique,
  pause_id uuid unique references job_pauses (id),
  -- How many deadlines it has moved, and since when all of them are.
  moved bigint not null default 0,
  settled_at timestamptz,
  check ((cause = 'PAUSED') = (pause_id is not null)),
  check ((pause_id is null) = (last_beat_at is not null)),
  check (ended_at is not null or (pause_id is not null and settled_at is null))
);
create index downtimes_unsettled on downtimes (id) where settled_at is null;
create index downtimes_by_end on downtimes (coalesce(ended_at, 'infinity'));

create function record_pause() returns trigger language plpgsql as $$
begin
  insert into downtimes (cause, started_at, ended_at, pause_id) values ('PAUSED', new.paused_at, new.resumed_at, new.id)
    on conflict (pause_id) do update set ended_at = excluded.ended_at;
  return null;
end $$;
create trigger job_pauses_recorded after insert or update of resumed_at on job_pauses for each row execute function record_pause();
insert into downtimes (cause, started_at, pause_id)
  select 'PAUSED', paused_at, id from job_pauses where resumed_at is null;

-- What deadlines have to reckon with. A pause that goes on has lasted until now.
create view stoppages as
  select started_at, coalesce(ended_at, greatest(started_at,
      now() + coalesce((select offset_ms from test_clock), 0) * interval '1 millisecond')) as ended_at,
    coalesce(ended_at, 'infinity') as until
  from downtimes;
