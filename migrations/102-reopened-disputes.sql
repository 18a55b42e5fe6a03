-- How often the provider had moved the money of a dispute when it was last told of: a won one whose money moves again is open again.
alter table disputes add column movements int not null default 0;
