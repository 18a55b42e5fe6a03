-- Closes seats for good: they are not given again, and count as done. For each the arrays have its campaign, the participation
-- that had it, if any, and a refund id. What a campaign holds for its seats is refunded at once, with the first of its refund
-- ids, and with the last of all seats the rounding of the fee. The caller has locked the campaigns' rows.
create or replace function close_seats(p_campaigns uuid[], p_participations uuid[], p_refunds uuid[], p_now timestamptz)
  returns void language plpgsql as $$
begin
  update campaigns set closed_seats = closed_seats + seats
    from (select id, count(*) as seats from unnest(p_campaigns) id group by id) closed where campaigns.id = closed.id;
  insert into campaign_events (campaign_id, participation_id, at, kind, facts)
    select closed.campaign, closed.participation, p_now, 'SEAT_CLOSED', jsonb_strip_nulls(jsonb_build_object('ordinal', p.ordinal))
    from unnest(p_campaigns, p_participations) with ordinality as closed (campaign, participation, place)
      left join participations p on p.id = closed.participation order by closed.place;
  perform refund_all_unused(array_agg(refund), array_agg(id), p_now) from (
    select distinct on (id) id, refund from unnest(p_campaigns, p_refunds) with ordinality as closed (id, refund, place)
    order by id, place) firsts;
end $$;
