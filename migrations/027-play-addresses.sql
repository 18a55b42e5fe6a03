-- What Play addresses need besides their rows: erasing, sealing with a new key, and seeing one used by several accounts.

alter table play_addresses
  -- Names the address in a finding without telling it, and without its hash, which is erased: the first participation
  -- for which it was given.
  add column same_address uuid,
  add check ((same_address is null) = (erased_at is not null));

-- For sealing anew what an old key has sealed: bytes 2 to 5 are the key's id (src/kit/server/encryption.ts).
create index play_addresses_by_key on play_addresses (substring(sealed from 2 for 4)) where sealed is not null;
create index play_addresses_by_age on play_addresses (consented_at) include (address_hash) where address_hash is not null;
drop index play_addresses_of_tester;
create index play_addresses_of_tester on play_addresses (tester_id, participation_id);
create index play_addresses_last_of_tester on play_addresses (tester_id, consented_at desc) where sealed is not null;

alter table campaigns add column addresses_erased_at timestamptz;
create index campaigns_with_addresses on campaigns (closed_at)
  where access_mode <> 'OPEN_LINK' and addresses_erased_at is null and closed_at is not null;
