-- What covered a lost dispute may be the campaign's again while it stays lost, because a refund pays it instead: more than once while
-- the dispute's money does not move, so its transfers are then found by what was covered before, too.
create or replace function note_dispute_cover() returns trigger language plpgsql as $$
declare
  covers boolean := new.covered_cents > old.covered_cents;
  place text := case when covers or new.status = 'LOST' then ':' || old.id || ':' || old.movements || ':' || old.covered_cents
    else ':' || new.id || ':' || new.movements end;
  kind text := case when covers then 'covered' else 'uncovered' end;
begin
  insert into dispute_covers (dispute_id, campaign_id, developer_id, amount_cents, fee_cents, created_at)
    select new.id, c.id, c.developer_id, new.covered_cents - old.covered_cents,
      coalesce(sum(amount_cents) filter (where t.business_key = kind || '-fee' || place), 0) * case when covers then 1 else -1 end,
      max(t.at)
    from campaigns c join transfers t on t.business_key in (kind || '-pay' || place, kind || '-fee' || place)
    where c.id = new.campaign_id group by c.id;
  return null;
end $$;
