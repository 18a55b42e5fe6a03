-- Because campaigns have triggers before updates, PostgreSQL computed this generated column anew with each update of a row, also of
-- those that left its texts alone, and stored a long one again: a seat of a campaign with a long description took nine times as long
-- (docs/decisions/067-updates-within-a-page.md). Its values stay the same. The default is for inserts that name no value.
alter table campaigns alter column search_text drop expression;
alter table campaigns alter column search_text set default '';
create function keep_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := lower(new.title || chr(31) || new.description);
  return new;
end $$;
create trigger campaigns_search_text before insert or update of title, description, search_text on campaigns
  for each row execute function keep_search_text();
