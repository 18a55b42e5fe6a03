-- Whether a weak password is only named in the form, or refused; for admins it is always refused.
alter table settings add column weak_passwords text not null default 'warn' check (weak_passwords in ('warn', 'refuse'));
