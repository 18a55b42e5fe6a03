-- The code that the page showed the tester on that day: a screenshot that shows it is of that day. Kept, so that it can
-- still be compared after the key was changed.
alter table check_ins add column code text;
