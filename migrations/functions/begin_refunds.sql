-- Records that the provider is about to be asked for the parts of refunds that wait: a call for each, and its pending money. A
-- stuck part waits for an admin, who retries it or pays it by other means. An earlier attempt that was paid does not rule out
-- another one: what it paid was settled, and the part is owed again.
-- A part's first call has the part's id as its key; later calls add their number.
create or replace function begin_refunds(p_refunds uuid[], p_now timestamptz) returns void language plpgsql as $$
declare
  keys text[];
  amounts bigint[];
  campaigns uuid[];
begin
  with due as (
    select part.id, part.amount_cents, r.campaign_id, pay.provider,
      1 + (select count(*) from provider_calls where subject_id = part.id) as attempt
    from refund_parts part join refunds r on r.id = part.refund_id join payments pay on pay.id = part.payment_id
    where part.refund_id = any (p_refunds) and part.status = 'PENDING'
      and not exists (select from provider_calls where subject_id = part.id and status = 'PENDING')
      and (part.stuck_since is null or part.retry_asked_at is not null)
      and not is_kept_by_dispute(pay.id)
  ), called as (
    insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, created_at)
      select gen_random_uuid(), provider, 'REFUND', id, attempt, id || case attempt when 1 then '' else ':' || attempt end, 'PENDING', p_now
      from due order by id returning id, subject_id
  )
  select array_agg('refund-call:' || called.id order by due.id), array_agg(amount_cents order by due.id),
      array_agg(campaign_id order by due.id)
    into keys, amounts, campaigns from called join due on due.id = called.subject_id;
  if keys is null then return; end if;
  perform post_phases(keys, array_fill(account_of('REFUNDS_OWED', null), array[cardinality(keys)]),
    array_fill(account_of('REFUNDS_IN_TRANSIT', null), array[cardinality(keys)]), amounts, campaigns,
    array_fill('PENDING'::text, array[cardinality(keys)]), null, p_now);
end $$;
