-- Wrong codes are counted by what they were for: those of a stolen session lock neither the sign-in nor other sessions.
-- `SIGN_IN`, or the id of the session that steps up.
alter table factor_guesses add column budget text not null default 'SIGN_IN';
alter table factor_guesses alter column budget drop default;
drop index factor_guesses_of_user;
create index factor_guesses_of_budget on factor_guesses (user_id, budget, at desc);

-- How many sets of recovery codes a user has had made within the hour: each costs the server ten hashes.
create table recovery_code_requests (
  user_id uuid primary key references users (id),
  window_start timestamptz not null,
  requests int not null
);
create index recovery_code_requests_by_age on recovery_code_requests (window_start);
