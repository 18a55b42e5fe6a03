-- The activity says where an admin, and not the owner, has cancelled a campaign. Set by the transaction that cancels it, just before.
alter table campaigns add column cancelled_by_admin boolean not null default false;

create or replace function record_campaign_status() returns trigger language plpgsql as $$
declare
  changed_at timestamptz := new.status_changed_at;
begin
  new.status_changed_at := null;
  if new.status <> 'PAUSED' then new.paused_by := null; end if;
  if new.status = old.status then return new; end if;
  if changed_at is null then
    raise exception 'campaign % goes from % to % without status_changed_at', new.id, old.status, new.status;
  end if;
  -- An edit turns the campaign into a draft again; its use case records the edit itself.
  if new.status = 'DRAFT' then return new; end if;
  if new.status = 'PENDING_APPROVAL' then new.submission := nextval('campaign_submissions'); end if;
  insert into campaign_events (campaign_id, at, kind, facts) values (new.id, changed_at,
    case new.status
      when 'PENDING_APPROVAL' then 'SUBMITTED'
      when 'LIVE' then case when old.status = 'PAUSED' then 'RESUMED' else 'STARTED' end
      else new.status
    end,
    case new.status
      when 'REJECTED' then jsonb_build_object('reason', new.rejection_reason)
      when 'PAUSED' then jsonb_strip_nulls(jsonb_build_object('by', new.paused_by))
      when 'CANCELLED' then case when new.cancelled_by_admin then jsonb_build_object('by', 'ADMIN') else '{}' end
      else '{}'
    end);
  return new;
end $$;

-- Whoever was told of a seat that a pause or a dispute takes back is told of that, once until they are told of another seat.
-- Null for no.
alter table bench_entries add column taken_back boolean, add column taken_back_told_at timestamptz;

create or replace function withdraw_offers() returns trigger language plpgsql as $$
begin
  update bench_entries set offered_at = null, offer_ends_at = null, taken_back = coalesce(taken_back, nullif(told, false)), told = false
    where campaign_id = new.id and offered_at is not null;
  new.offered_seats := 0;
  return new;
end $$;

-- Since when no email goes out, and why; no row while it does. Not of an address that alone is refused.
create table mail_trouble (
  one_row boolean primary key default true check (one_row),
  since timestamptz not null,
  reason text not null
);
