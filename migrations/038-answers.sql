-- How long the drafts of answers for Google's form for production access may be.
alter table settings add column answer_characters int not null default 300 check (answer_characters between 100 and 4000);
