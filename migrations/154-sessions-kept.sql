-- Over for long, and kept as the latest of its user: passed once, and not each night until they sign in again.
alter table sessions add column kept_as_latest boolean not null default false;
