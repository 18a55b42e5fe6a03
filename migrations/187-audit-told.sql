-- What one admin does shows in the audit log that another one has open (decision 040).
create trigger audit_log_told after insert on audit_log for each statement execute function tell_admins();
