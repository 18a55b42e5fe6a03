-- Which installation this database is: what it makes at a payment provider carries this id, and a restored copy keeps it.
create table installation (
  only_row boolean primary key default true check (only_row),
  id uuid not null
);
insert into installation (id) values (gen_random_uuid());
