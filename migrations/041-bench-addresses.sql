-- For sealing anew what an old key has sealed of testers on a bench (027).
create index bench_addresses_by_key on bench_entries (substring(address_sealed from 2 for 4)) where address_sealed is not null;
