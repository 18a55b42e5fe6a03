-- What a provider says of a dispute about a payment, in any order and as often as it likes: the first news opens it, the first
-- outcome closes it, everything later changes nothing; open_dispute_again and win_lost_dispute look for what goes on after that. A lost
-- one takes its money from the provider's cash at once, as something that the developer owes the platform. Answers OPENED, WON or
-- LOST, SAME or NOT_FOUND. The campaign's row is locked first. A won one gives the campaign back the time in which nobody could join.
create or replace function change_dispute(p_id uuid, p_provider text, p_reference text, p_payment uuid, p_amount bigint,
  p_reason text, p_status text, p_evidence_due timestamptz, p_at timestamptz, p_admin uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  d disputes;
  answer text := 'SAME';
  again boolean;
  disputed timestamptz;
  lost timestamptz;
begin
  select * into c from campaigns where id = (select campaign_id from payments where id = p_payment) for update;
  if not found then return 'NOT_FOUND'; end if;
  select * into d from disputes where provider = p_provider and reference = p_reference for update;
  if not found then
    insert into disputes (id, provider, reference, payment_id, campaign_id, amount_cents, reason, status, opened_at,
        evidence_due_at, recorded_at)
      values (p_id, p_provider, p_reference, p_payment, c.id, p_amount, p_reason, 'OPEN', p_at, p_evidence_due, p_now)
      returning * into d;
    answer := 'OPENED';
  elsif d.payment_id <> p_payment then
    raise exception 'dispute % is about payment %, not %', p_reference, d.payment_id, p_payment;
  end if;
  if d.status = 'OPEN' and p_status <> 'OPEN' then
    update disputes set status = p_status, closed_at = p_at, closed_by = p_admin where id = d.id;
    if p_status = 'LOST' then
      again := exists (select from transfers where business_key = 'dispute-lost:' || d.id);
      perform post_transfer('dispute-lost:' || d.id || case when again then ':' || d.movements else '' end,
        account_of('DISPUTES_RECEIVABLE', null), account_of('PROVIDER_CASH', null), d.amount_cents, c.id, p_now);
    end if;
    answer := p_status;
  elsif d.status = 'OPEN' and answer = 'SAME' and p_evidence_due is distinct from d.evidence_due_at and p_evidence_due is not null then
    update disputes set evidence_due_at = p_evidence_due where id = d.id;
  end if;
  -- Opened again by a server of the release before.
  if c.disputed_since is not null and c.frozen_at is null then
    update campaigns set frozen_at = p_now where id = c.id returning * into c;
  end if;
  if answer <> 'SAME' then
    select min(coalesce(reopened_at, opened_at)) filter (where status = 'OPEN'), min(closed_at) filter (where status = 'LOST') into disputed, lost
      from disputes where campaign_id = c.id;
    update campaigns set disputed_since = disputed, dispute_lost_at = lost,
      frozen_at = case when disputed is not null then coalesce(c.frozen_at, p_now) end,
      -- Nobody could join in the meantime, so the campaign ends that much later, unless its time was over before.
      end_date = case when answer = 'WON' and disputed is null and lost is null and status in ('LIVE', 'PAUSED') and end_date > c.frozen_at
        then end_date + greatest(p_now - c.frozen_at, interval '0') else end_date end,
      after_dispute = after_dispute or answer in ('WON', 'LOST') where id = c.id;
    -- A seat that became free meanwhile belongs to the next in line, and from here on anybody could take it.
    if answer = 'WON' then perform offer_seats(c.id, false, p_now); end if;
  end if;
  return answer;
end $$;
