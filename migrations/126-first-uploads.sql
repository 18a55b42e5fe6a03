-- The place of its uploader's first upload of this file, and of one that looks the same: earlier uploads go when changes are asked
-- for, and whoever uploads a picture again had it first all the same. Null for what was attached before.
alter table attachments add column first_seq bigint, add column first_look_seq bigint;
