-- Removing the sample reports reads neither all reports nor, for the foreign key of each, all parts of findings.
create index fraud_reports_samples on fraud_reports (id) where is_sample;
create index fraud_finding_parts_of_report on fraud_finding_parts (report_id);
