-- Lists with page numbers, and searches for one or two letters (decision 029).

-- Every letter of a text and every two that follow each other, for an index that finds one or two letters. It may never
-- change: indexes are made of it. Its cost keeps plans from asking it of row after row.
create function letter_pairs(words text) returns text[] immutable strict parallel safe cost 1000 language plpgsql as $$
begin
  return string_to_array(words, null)
    || string_to_array(regexp_replace(words, '(.)', '\1' || chr(1) || '\1', 'g'), chr(1));
end $$;

create index users_pairs on users using gin (letter_pairs(lower(name || ' ' || email)));
create index campaigns_pairs on campaigns using gin (letter_pairs(search_text));
create index waitlist_pairs on waitlist using gin (letter_pairs(email));

-- The list of users and its count, from the index alone.
create index users_present on users (id desc) where deleted_at is null;
create index users_present_by_role on users (role, id desc) where deleted_at is null;

-- What an admin may look for in a report: the name and email of its user too, copied, so that one index finds both.
alter table fraud_reports add column user_words text not null default '';
update fraud_reports r set user_words = lower(u.name || ' ' || u.email) from users u where u.id = r.user_id;

-- The user's row is held until the report is stored: a change of the name comes before, or sees the report.
create function copy_user_words() returns trigger language plpgsql as $$
begin
  select lower(name || ' ' || email) into new.user_words from users where id = new.user_id for share;
  return new;
end $$;
create trigger fraud_reports_user_words before insert on fraud_reports for each row execute function copy_user_words();

create function pass_on_user_words() returns trigger language plpgsql as $$
begin
  update fraud_reports set user_words = lower(new.name || ' ' || new.email) where user_id = new.id;
  return null;
end $$;
create trigger users_words after update of name, email on users for each row
  when (old.name is distinct from new.name or old.email is distinct from new.email)
  execute function pass_on_user_words();

drop index fraud_reports_search;
-- Of archived reports too: PostgreSQL plans by the statistics of an expression only when its index is not partial.
create index fraud_reports_search on fraud_reports using gin ((user_words || chr(31) || fact_words) gin_trgm_ops);
create index fraud_reports_pairs on fraud_reports using gin (letter_pairs(user_words || chr(31) || fact_words));
create index fraud_reports_by_kind on fraud_reports (kind, id desc) where archived_at is null;
