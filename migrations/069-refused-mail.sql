-- Admins see the addresses whose mail servers refuse our email, the newest first.
create index mail_refusals_by_time on mail_refusals (refused_at desc);
