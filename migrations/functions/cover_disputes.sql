-- What a campaign holds beyond what it owes first covers what banks took back of its payments, since the developer already has
-- that money; if they have settled it with the operator, they get that back from there. So what they still owe comes first. Returns
-- what was covered of the pay and of the fee. The caller has locked the campaign's row and its accounts.
create or replace function cover_disputes(p_campaign uuid, p_pay bigint, p_fee bigint, p_now timestamptz,
  out pay bigint, out fee bigint) language plpgsql as $$
declare
  d record;
  this_pay bigint;
  this_fee bigint;
begin
  pay := 0;
  fee := 0;
  for d in
    -- A dispute that is lost again may have been covered before, but its money has moved since, so the key is new.
    select id, amount_cents - covered_cents - set_off_cents as open_cents, settled_cents, movements || ':' || covered_cents as place, c.developer_id from disputes
      join (select id as its_id, developer_id from campaigns) c on c.its_id = campaign_id
      where campaign_id = p_campaign and status = 'LOST' and covered_cents + set_off_cents < amount_cents
      order by settled_cents > 0, seq
  loop
    this_pay := least(d.open_cents, p_pay - pay);
    this_fee := least(d.open_cents - this_pay, p_fee - fee);
    continue when this_pay + this_fee = 0;
    perform unsettle_debt(d.id, d.settled_cents - (d.open_cents - this_pay - this_fee), p_now);
    perform post_transfers(
      array['covered-pay:' || d.id || ':' || d.place, 'covered-fee:' || d.id || ':' || d.place],
      array[account_of('CAMPAIGN_ESCROW', p_campaign), account_of('CAMPAIGN_FEE', p_campaign)],
      array_fill(account_of('DISPUTES_RECEIVABLE', null), array[2]), array[this_pay, this_fee],
      array[p_campaign, p_campaign], p_now);
    update disputes set covered_cents = covered_cents + this_pay + this_fee where id = d.id;
    insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
      values (d.developer_id, 'CREDIT', 'COMPLETED', this_pay + this_fee, 'Taken back by your bank', p_campaign,
        -- A trigger inserted it on the update.
        (select id from dispute_covers where dispute_id = d.id order by seq desc limit 1), p_now);
    pay := pay + this_pay;
    fee := fee + this_fee;
  end loop;
  if pay + fee > 0 then
    update campaigns set funded_cents = funded_cents - pay, fee_cents = fee_cents - fee where id = p_campaign;
  end if;
end $$;
