-- Reports stay when an account is deleted, and its devices do not: a finding names a device by a hash of it (decision 050).
-- A server of the release before names devices themselves until it is replaced. What it stores gets the names that this
-- release gives, and what was reported under either name is not reported again.
create function hash_devices_of_part() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and exists (
      select from fraud_finding_parts where finding_key = new.finding_key and part = new.part) then return null; end if;
  if new.finding_key like 'self-test:%' then
    new.finding_key := 'self-test-hash:' || substr(new.finding_key, length('self-test:') + 1);
    new.part := encode(sha256(convert_to(new.part, 'UTF8')), 'hex');
  else
    new.finding_key := 'shared-device-hash:'
      || encode(sha256(convert_to(substr(new.finding_key, length('shared-device:') + 1), 'UTF8')), 'hex');
  end if;
  return new;
end $$;
create trigger fraud_finding_parts_hashed before insert or update of finding_key on fraud_finding_parts for each row
  when (new.finding_key like 'shared-device:%' or new.finding_key like 'self-test:%')
  execute function hash_devices_of_part();

-- The facts showed the beginning of a device, or all of a short one, and show the beginning of the hash. Which devices those of
-- a self-test are is told by the parts of its finding, or by what the tester has used.
create function hash_devices_of_report() returns trigger language plpgsql as $$
declare
  hash text;
begin
  if new.finding_key like 'self-test:%' then
    new.facts := new.facts || jsonb_build_object('devices', (
      select coalesce(jsonb_agg(used.seen || jsonb_build_object('device', coalesce((
          select left(encode(sha256(convert_to(min(device), 'UTF8')), 'hex'), 8) || '…' from (
            select part as device from fraud_finding_parts where finding_key = new.finding_key
            union all select device from device_uses where user_id = new.user_id) known
          where used.seen ->> 'device' = case when length(device) > 8 then left(device, 8) || '…' else device end),
        used.seen ->> 'device')) order by used.place), '[]')
      from jsonb_array_elements(new.facts -> 'devices') with ordinality used (seen, place)));
    new.finding_key := 'self-test-hash:' || substr(new.finding_key, length('self-test:') + 1);
  else
    hash := encode(sha256(convert_to(substr(new.finding_key, length('shared-device:') + 1), 'UTF8')), 'hex');
    new.facts := new.facts || jsonb_build_object('device', left(hash, 8) || '…');
    new.finding_key := 'shared-device-hash:' || hash;
  end if;
  return new;
end $$;
create trigger fraud_reports_hashed before insert or update of finding_key on fraud_reports for each row
  when (new.finding_key like 'shared-device:%' or new.finding_key like 'self-test:%')
  execute function hash_devices_of_report();
