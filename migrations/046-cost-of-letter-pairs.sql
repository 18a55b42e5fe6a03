-- At 1,000 the rows that an index of letter pairs finds looked so dear that plans read further indexes to have fewer of them
-- (seen on 1,000,000 users: a count for two letters read 3,517 pages instead of 800).
alter function letter_pairs(text) cost 100;
