-- No withdrawal is paid that waits for two admins or was refused by one, and refused ones have failed.
select a.withdrawal_id, w.status, a.outcome from payout_approvals a join withdrawals w on w.id = a.withdrawal_id
where (a.outcome is null and w.status <> 'PENDING') or (a.outcome = 'REFUSED' and w.status <> 'FAILED');
