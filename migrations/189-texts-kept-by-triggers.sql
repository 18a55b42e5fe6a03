-- Because these tables have triggers before updates, PostgreSQL computed a generated column anew with each update of a row, also of
-- those that left its text alone, and stored a long one again: a seat of a campaign with a long description took nine times as long
-- (docs/decisions/067-updates-within-a-page.md). The values stay the same.
alter table campaigns alter column search_text drop expression;
create function keep_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := lower(new.title || chr(31) || new.description);
  return new;
end $$;
create trigger campaigns_search_text before insert or update of title, description, search_text on campaigns
  for each row execute function keep_search_text();

alter table participations alter column proof_key drop expression;
create function keep_proof_key() returns trigger language plpgsql as $$
begin
  new.proof_key := proof_key(new.proof_text);
  return new;
end $$;
create trigger participations_proof_key before update of proof_text, proof_key on participations
  for each row execute function keep_proof_key();
create trigger participations_proof_key_at_once before insert on participations
  for each row when (new.proof_text is not null or new.proof_key is not null) execute function keep_proof_key();

alter table fraud_reports alter column fact_words drop expression;
create function keep_fact_words() returns trigger language plpgsql as $$
begin
  new.fact_words := words_in_facts(new.facts);
  return new;
end $$;
create trigger fraud_reports_fact_words before insert or update of facts, fact_words on fraud_reports
  for each row execute function keep_fact_words();
