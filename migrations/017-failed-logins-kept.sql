-- Signing in takes the failures before it out of the lock's count, and leaves them to the security report: a guess that
-- succeeded in the end leaves its trace. Housekeeping removes them by age.
alter table login_failures add column cleared boolean not null default false;

-- What the lock counts. By email they are also looked up whole, when an account is deleted (login_failures_by_email).
create index login_failures_counted_by_email on login_failures (email, at desc) where not cleared;
create index login_failures_counted_by_ip on login_failures (ip, at desc) where not cleared;
drop index login_failures_by_ip;
