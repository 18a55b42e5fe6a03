-- Claims an idempotency key in the statement of its effect, which holds locks by then: so it does not wait for another transaction
-- that is claiming the key. That, or a key that is claimed already, fails the statement.
create or replace function claim_key(p_user uuid, p_key text, p_request_hash bytea, p_subject uuid, p_now timestamptz)
  returns boolean language plpgsql volatile set lock_timeout = '50ms' as $$
begin
  insert into idempotency_keys (user_id, key, request_hash, subject_id, created_at)
    values (p_user, p_key, p_request_hash, p_subject, p_now);
  return true;
end $$;
