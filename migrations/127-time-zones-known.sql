-- no transaction
-- Zones that PostgreSQL does not know, or that mean another one to it, were accepted before.
update users set time_zone = 'UTC' where id in (select id from users where time_zone <> 'UTC' and (time_zone not like '%/%' or time_zone not in (select name from pg_timezone_names)) limit 1000);
update participations set time_zone = 'UTC' where id in (select id from participations where time_zone <> 'UTC' and (time_zone not like '%/%' or time_zone not in (select name from pg_timezone_names)) limit 1000);
update bench_entries set time_zone = 'UTC' where id in (select id from bench_entries where time_zone <> 'UTC' and (time_zone not like '%/%' or time_zone not in (select name from pg_timezone_names)) limit 1000);
