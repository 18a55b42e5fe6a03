-- Who asked on the landing page to be told (product.md §1). One row for each email, with the latest answers.

create table waitlist (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  -- ISO 3166-1 alpha-2, from src/kit/countries.ts.
  country text not null,
  role text not null check (role in ('developer', 'tester')),
  created_at timestamptz not null
);
create index waitlist_by_role on waitlist (role, id desc);
create index waitlist_search on waitlist using gin (email gin_trgm_ops);

-- How many sign-ups came from an IP address since its window began, so that nobody floods the list.
create table waitlist_addresses (
  ip text primary key,
  window_start timestamptz not null,
  sign_ups int not null
);
create index waitlist_addresses_by_age on waitlist_addresses (window_start);
