-- An admin decides on an appeal: VERIFIED pays the tester as for a verified proof; UPHELD frees the seat or, if the campaign was
-- cancelled meanwhile, refunds its money as p_refund.
create or replace function decide_appeal(p_participation uuid, p_outcome text, p_note text, p_admin uuid, p_refund uuid,
  p_now timestamptz) returns text language plpgsql as $$
begin
  perform from campaigns where id = (select campaign_id from participations where id = p_participation) for update;
  perform from participations where id = p_participation and status = 'APPEALED' for update;
  if not found then
    return case when exists (select from participations where id = p_participation) then 'WRONG_STATE' else 'NOT_FOUND' end;
  end if;
  update appeals set outcome = p_outcome, note = p_note, decided_by = p_admin, decided_at = p_now,
    wake_at = null, held_for = null
    where participation_id = p_participation;
  case p_outcome
    when 'VERIFIED' then perform pay_verified(array[p_participation], p_admin, p_now);
    when 'UPHELD' then perform close_unpaid(p_participation, '{APPEALED}', 'REJECTED', null, false, p_refund, p_now);
  end case;
  return 'OK';
end $$;
