-- The campaign that a notification is about, directly or through a test, a place on the bench or a bug; null without one.
create or replace function campaign_of_notice(p_kind text, p_id uuid) returns uuid language sql stable as $$
  select case
    when p_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST') then p_id
    when p_kind in ('TEST', 'APPEAL') then coalesce((select campaign_id from participations where id = p_id),
      (select campaign_id from bench_entries where id = p_id))
    when p_kind = 'BUG' then (select campaign_id from bugs where id = p_id)
  end
$$;
