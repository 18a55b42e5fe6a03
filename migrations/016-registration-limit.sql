-- How many accounts were asked for from a network since its window began, so that a script neither fills the product with
-- accounts nor keeps the server busy with hashes.
create table registration_networks (
  -- An IPv4 address, or the /64 of an IPv6 one.
  network text primary key,
  window_start timestamptz not null,
  registrations int not null
);
create index registration_networks_by_age on registration_networks (window_start);
