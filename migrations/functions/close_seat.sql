-- Closes a seat for good: it is not given again and counts as done. What the campaign holds for it goes back to the
-- developer at once, and with the last of all seats the rounding of the fee. The caller holds the campaign's row.
create or replace function close_seat(p_campaign uuid, p_participation uuid, p_refund uuid, p_now timestamptz)
  returns void language plpgsql as $$
declare c campaigns;
begin
  update campaigns set closed_seats = closed_seats + 1 where id = p_campaign returning * into strict c;
  insert into campaign_events (campaign_id, participation_id, at, kind, facts)
    select c.id, p_participation, p_now, 'SEAT_CLOSED', jsonb_strip_nulls(jsonb_build_object('ordinal', p.ordinal))
    from (values (p_participation)) closed (id) left join participations p on p.id = closed.id;
  perform refund_unused(p_refund, c.id, p_now);
end $$;
