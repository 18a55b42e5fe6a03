-- A row for each server whose emails fail: of several, one alone may be set up wrongly, and what the others send must not hide that.
-- last_at: when one failed last.
-- contract: not used since release 2, which is older than it.
drop table mail_trouble;
create table mail_trouble (
  server text primary key,
  since timestamptz not null,
  last_at timestamptz not null,
  reason text not null
);
