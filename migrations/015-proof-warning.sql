-- Who is late with the proof is warned before the seat is lost, as who falls silent is: both after at_risk_hours.

alter table participations add column proof_warned boolean not null default false;

-- Tests on their way are woken for it too. Who has checked in since the proof was due is no longer warned of silence.
update participations p set wake_at = case
    when last_seen_at > proof_allowed_at then late.warn_at
    else least(p.wake_at, late.warn_at)
  end
  from (select p.id, proof_allowed_at + make_interval(hours => at_risk_hours) as warn_at
    from participations p join campaigns c on c.id = p.campaign_id where p.status = 'ACTIVE') late
  where late.id = p.id;
