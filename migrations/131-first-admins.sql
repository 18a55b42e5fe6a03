-- The addresses of ADMIN_EMAIL for which an admin was created, as SHA-256: each once, also after that admin has moved to another address.
create table first_admins (
  address bytea primary key check (length(address) = 32),
  seen_at timestamptz not null
);
