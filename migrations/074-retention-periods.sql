-- How long data is kept: months, and for finished jobs days (decision 050).
alter table settings add column check_in_months int not null default 24 check (check_in_months between 12 and 120);
alter table settings add column notification_months int not null default 12 check (notification_months between 3 and 120);
alter table settings add column audit_log_months int not null default 24 check (audit_log_months between 12 and 120);
alter table settings add column sign_in_months int not null default 3 check (sign_in_months between 1 and 12);
alter table settings add column job_days int not null default 7 check (job_days between 1 and 90);
