-- Looks for a time in which no server wrote a heartbeat, and writes one with p_serves. p_silent_seconds: how long this server
-- itself has written none, by a clock that nobody can set; null if it has just started. A jump of PostgreSQL's clock is longer
-- than that, and is not a downtime. Returns whether deadlines have to wait for what was found.
create or replace function beat(p_silent_seconds float8, p_offset_ms bigint, p_serves boolean) returns boolean
  language plpgsql as $$
declare
  last_beat timestamptz;
  this_beat timestamptz;
  silent interval;
  ahead interval := p_offset_ms * interval '1 millisecond';
begin
  if p_serves then
    insert into heartbeat (beat_at) values (clock_timestamp()) on conflict do nothing;
  end if;
  select beat_at into last_beat from heartbeat for update;
  if not found then return false; end if;
  -- Taken under the lock, so that servers' heartbeats are in order.
  this_beat := clock_timestamp();
  silent := least(this_beat - last_beat, make_interval(secs => p_silent_seconds));
  if silent > interval '2 minutes' then
    -- A server that dies before it serves does not end the downtime: the next one finds it again, and longer.
    insert into downtimes (cause, started_at, ended_at, last_beat_at)
      values (case when exists (select from job_pauses where resumed_at is null and reason = 'RESTORED') then 'RESTORED' else 'DOWN' end,
        date_trunc('milliseconds', this_beat - silent + ahead), date_trunc('milliseconds', this_beat + ahead), last_beat)
      on conflict (last_beat_at) do update set ended_at = greatest(downtimes.ended_at, excluded.ended_at), settled_at = null;
  end if;
  if p_serves then update heartbeat set beat_at = this_beat; end if;
  return exists (select from downtimes where settled_at is null);
end $$;
