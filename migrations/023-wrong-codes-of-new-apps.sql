-- A stolen session must not guess the code of an app that its owner began to set up: after some wrong ones it is forgotten.
alter table totp_secrets add column wrong_codes int not null default 0;
