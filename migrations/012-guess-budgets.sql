-- Wrong passwords are counted by budget, so that a stranger's guesses lock neither the owner's own devices nor anybody
-- else's password change: `UNKNOWN <email>` for all unknown devices together, `DEVICE <email> <fingerprint>` and
-- `NETWORK <email> <network>` for each one from which the account signed in, `OWN <user id>` for one's own password.
alter table login_failures add column budget text;
update login_failures set budget = 'UNKNOWN ' || email;
alter table login_failures alter column budget set not null;

-- What limits take for one caller (an IPv4 address, or the /64 of an IPv6 one); null for checks of one's own password.
alter table login_failures add column network text;
update login_failures set network = ip where ip <> 'signed in';

drop index login_failures_counted_by_email;
drop index login_failures_counted_by_ip;
create index login_failures_counted on login_failures (budget, at desc) where not cleared;
create index login_failures_counted_by_network on login_failures (network, at desc) where not cleared;

-- Earlier IPv6 sessions stay without: their devices are known by the fingerprint, or again after the next sign-in.
alter table sessions add column network text;
update sessions set network = ip where ip ~ '^\d+\.\d+\.\d+\.\d+$';
create index sessions_of_user_by_network on sessions (user_id, network, created_at);
