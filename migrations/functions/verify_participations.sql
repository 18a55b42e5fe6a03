-- Accepts proofs. Without a reviewer it is the deadline that accepts them, and only once the time for review is over. Returns
-- those that were accepted.
create or replace function verify_participations(p_participations uuid[], p_reviewer uuid, p_now timestamptz)
  returns uuid[] language plpgsql as $$
declare due uuid[];
begin
  perform from campaigns where id in (select campaign_id from participations where id = any (p_participations))
    order by id for update;
  select array_agg(id) into due from (
    select id from participations where id = any (p_participations) and status = 'SUBMITTED'
      and (p_reviewer is not null or wake_at <= p_now) order by id for update) held;
  if due is null then return '{}'; end if;
  perform pay_verified(due, p_reviewer, p_now);
  return due;
end $$;
