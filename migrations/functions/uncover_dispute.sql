-- Money that had covered a lost dispute is the campaign's again: all of it when the dispute is won after all, or as much as a refund
-- pays instead. p_place tells this time from others. The caller has locked the campaign's row, changes what the dispute is covered
-- by, and writes the line on the statement.
create or replace function uncover_dispute(p_dispute disputes, p_cents bigint, p_place text, p_now timestamptz) returns void
  language plpgsql as $$
declare
  receivable bigint := account_of('DISPUTES_RECEIVABLE', null);
  pay bigint;
begin
  select least(p_cents, coalesce(sum(amount_cents) filter (where starts_with(business_key, 'covered-pay:' || p_dispute.id || ':')), 0)
      - coalesce(sum(amount_cents) filter (where starts_with(business_key, 'uncovered-pay:' || p_dispute.id || ':')), 0))
    into pay from transfers where campaign_id = p_dispute.campaign_id;
  perform post_transfers(array['uncovered-pay:' || p_dispute.id || ':' || p_place, 'uncovered-fee:' || p_dispute.id || ':' || p_place],
    array_fill(receivable, array[2]),
    array[account_of('CAMPAIGN_ESCROW', p_dispute.campaign_id), account_of('CAMPAIGN_FEE', p_dispute.campaign_id)],
    array[pay, p_cents - pay], array[p_dispute.campaign_id, p_dispute.campaign_id], p_now);
  update campaigns set funded_cents = funded_cents + pay, fee_cents = fee_cents + p_cents - pay where id = p_dispute.campaign_id;
end $$;
