-- Rejects a proof. No money moves yet: the seat stays taken, with its pay and its share of the fee, for p_hours or until an
-- appeal is decided. A developer cannot reject while the campaign is disputed.
create or replace function reject_participation(p_participation uuid, p_reviewer uuid, p_code text, p_reason text,
  p_hours int, p_now timestamptz) returns text language plpgsql as $$
begin
  perform from campaigns where id = (select campaign_id from participations where id = p_participation) for share;
  if exists (select from participations p join campaigns c on c.id = p.campaign_id where p.id = p_participation
      and c.disputed_since is not null and c.developer_id = p_reviewer) then return 'WRONG_STATE'; end if;
  update participations set status = 'REJECTED', rejection_code = p_code, rejection_reason = p_reason, reviewed_at = p_now,
    reviewed_by = p_reviewer, wake_at = p_now + make_interval(hours => p_hours), at_risk = false where id = p_participation and status = 'SUBMITTED';
  if found then return 'OK'; end if;
  return case when exists (select from participations where id = p_participation) then 'WRONG_STATE' else 'NOT_FOUND' end;
end $$;
