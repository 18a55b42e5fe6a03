-- no transaction
-- Who is to be told that they let a seat pass.
create index concurrently if not exists bench_passes_untold on bench_entries (entered_at, id) where pass_untold;
