-- Locks a tester who takes a seat, and returns how many open tests they have; null if suspended or deleted. The calling statement
-- itself would not see what others committed while it waited for the lock.
create or replace function hold_tester(p_tester uuid) returns bigint language plpgsql volatile as $$
begin
  perform from users where id = p_tester and suspended_at is null and deleted_at is null for no key update;
  if not found then return null; end if;
  return (select count(*) from participations where tester_id = p_tester and closed_at is null
    and status not in ('REJECTED', 'APPEALED'));
end $$;
