-- Indexes whose predicates read a campaign's counters: those of 122 stand in for them.
-- contract: not used since release 2
drop index campaigns_available;
-- contract: not used since release 2
drop index campaigns_available_by_pay;
-- contract: not used since release 2
drop index campaigns_available_by_days;
-- contract: not used since release 2
drop index campaigns_ending;
-- contract: not used since release 2
drop index campaigns_all_settled;
-- contract: not used since release 2
drop index campaigns_with_open_tests;
-- contract: not used since release 2
drop index campaigns_escrow_due;
-- contract: not used since release 2
drop index campaigns_to_empty;
