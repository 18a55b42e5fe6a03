-- Nothing is paid that waits for two admins or that one has refused, and what was refused has failed.
select a.withdrawal_id, w.status, a.outcome from payout_approvals a join withdrawals w on w.id = a.withdrawal_id
where (a.outcome is null and w.status <> 'PENDING') or (a.outcome = 'REFUSED' and w.status <> 'FAILED');
