-- Addresses that their mail server refused for good. The profile says so until an email arrives again.
create table mail_refusals (
  address text primary key,
  answer text not null,
  refused_at timestamptz not null
);
