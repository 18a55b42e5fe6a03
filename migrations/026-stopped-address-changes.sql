-- A change of address can be stopped at the old address before it happens, and an undo takes back what was set up since it
-- was asked for.

alter table email_links drop constraint email_links_purpose_check;
alter table email_links add constraint email_links_purpose_check check (
  purpose in ('CONFIRM_EMAIL', 'RESET_PASSWORD', 'CHANGE_EMAIL', 'STOP_EMAIL_CHANGE', 'UNDO_EMAIL_CHANGE')
);
alter table email_links
  -- The `seq` of the link that asked for the change: what is later than that came after the request.
  add column change_seq bigint,
  -- The address that the account moves to, or has moved to.
  add column new_email text check (new_email = lower(new_email));
update email_links set change_seq = seq, new_email = email where purpose = 'UNDO_EMAIL_CHANGE';
alter table email_links add constraint email_links_of_a_change check (
  (purpose in ('STOP_EMAIL_CHANGE', 'UNDO_EMAIL_CHANGE')) = (change_seq is not null)
    and (change_seq is null) = (new_email is null)
);

-- Factors take their place in the same order, which no clock can turn around. Those there were before are older than all.
alter table passkeys add column seq bigint not null default 0;
alter table passkeys alter column seq set default nextval('email_links_seq_seq');
alter table totp_secrets add column seq bigint not null default 0;
alter table totp_secrets alter column seq set default nextval('email_links_seq_seq');
alter table recovery_codes add column seq bigint not null default 0;
alter table recovery_codes alter column seq set default nextval('email_links_seq_seq');
