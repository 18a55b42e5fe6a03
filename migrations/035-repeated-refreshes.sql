-- SHA-256 of the name that a page gave to its attempt to refresh: the same attempt gets the same answer again.
alter table refresh_tokens add column attempt_hash bytea;

-- A server of the release before makes undo links and counts wrong codes without what 026 and 029 added, until it is replaced.
alter table email_links drop constraint email_links_of_a_change;
alter table factor_guesses alter column budget set default 'OLDER SERVER';
