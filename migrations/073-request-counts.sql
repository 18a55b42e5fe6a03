-- How many requests a network made within a minute, as the servers tell each other once a second. Nothing is lost with it: it
-- is written without a log, and rows of past minutes are deleted.
create unlogged table request_counts (
  -- Since 1970.
  minute int not null,
  -- An IPv4 address, or the /64 of an IPv6 one.
  network text not null,
  requests int not null,
  primary key (minute, network)
);
