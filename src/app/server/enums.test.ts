/** Each list is the same in TypeScript and SQL: the CHECK constraints of the database equal the contracts. */
import { beforeAll, expect, test } from 'vitest'
import { campaignEventKinds } from '../../activity/contract.ts'
import { attachedTo, attachmentTypes } from '../../attachments/terms.ts'
import { accessModes, escrowDecisions, platforms, campaignStatuses } from '../../campaigns/terms.ts'
import { bugEventKinds, bugSeverities, bugStatuses, retestResults } from '../../bugs/terms.ts'
import { runEndings } from '../../continuity/terms.ts'
import { topics } from '../../events/terms.ts'
import { reportKinds, reportStatuses, scanStates, severities } from '../../fraud/terms.ts'
import { waitlistRoles } from '../../landing/terms.ts'
import {
  approvalOutcomes,
  disputeStatuses,
  payoutAccountStatuses,
  settlementKinds,
  transactionStatuses,
  transactionTypes,
  withdrawalStatuses,
} from '../../ledger/terms.ts'
import { outsideOutcomes, overOutcomes } from '../../ledger/stuckRefunds.ts'
import { aboutKinds } from '../../notifications/about.ts'
import {
  accessProblems,
  appealOutcomes,
  consentOutcomes,
  dropReasons,
  goodwillHolds,
  rejectionCodes,
} from '../../participations/terms.ts'
import { participationStatuses } from '../../campaigns/participationStatus.ts'
import { deliveries, digestPeriods, topics as eventKinds } from '../../notifications/topics.ts'
import { roles } from '../../kit/roles.ts'
import { weakPasswordPolicies } from '../../settings/terms.ts'
import { downtimeCauses } from '../../kit/downtimes.ts'
import { pauseReasons } from '../../kit/server/pauses.ts'
import { testApp } from '../../testing/prologue.ts'

/** By table and column; null where the list exists only in SQL, since no contract shows it. */
const lists: Record<string, readonly string[] | null> = {
  'users.role': roles,
  'users.payouts_paused_because': null,
  'email_links.purpose': null,
  'sessions.end_reason': null,
  'factor_challenges.purpose': null,
  'settings.weak_passwords': weakPasswordPolicies,
  'campaigns.access_mode': accessModes,
  'campaigns.platform': platforms,
  'campaigns.status': campaignStatuses,
  'campaign_events.kind': campaignEventKinds,
  // A tester on the bench has no participation yet.
  'participations.status': participationStatuses.filter(status => status !== 'WAITLISTED'),
  'participations.rejection_code': rejectionCodes,
  'participations.drop_reason': dropReasons,
  'participations.no_access_problem': accessProblems,
  'opt_in_runs.end_reason': runEndings,
  'attachments.content_type': attachmentTypes,
  'attachments.kind': attachedTo,
  'bugs.severity': bugSeverities,
  'bugs.status': bugStatuses,
  'bug_events.role': roles,
  'bug_events.kind': bugEventKinds,
  'bug_retests.result': retestResults,
  'change_feedback.result': retestResults,
  'opt_in_runs.contest_outcome': null,
  'appeals.outcome': appealOutcomes,
  'appeals.held_for': goodwillHolds,
  'payout_approvals.outcome': approvalOutcomes,
  'outside_refunds.outcome': outsideOutcomes,
  'over_refunds.outcome': overOutcomes,
  'limit_changes.outcome': null,
  'rejection_requests.outcome': consentOutcomes,
  'tester_list_changes.change': null,
  'transactions.type': transactionTypes,
  'transactions.status': transactionStatuses,
  'withdrawals.status': withdrawalStatuses,
  'payout_accounts.status': payoutAccountStatuses.filter(status => status !== 'NONE'),
  'disputes.status': disputeStatuses,
  'dispute_settlements.kind': settlementKinds,
  'escrow_decisions.decision': escrowDecisions,
  'user_events.topic': topics,
  'fraud_reports.severity': severities,
  'fraud_reports.status': reportStatuses,
  'fraud_reports.kind': reportKinds,
  'fraud_scans.state': scanStates,
  'waitlist.role': waitlistRoles,
  'notifications.about_kind': aboutKinds,
  'notifications.delivery': deliveries.filter(delivery => delivery !== 'NEVER'),
  'notification_choices.topic': eventKinds,
  'notification_choices.delivery': deliveries,
  'notification_choices.before_off': deliveries,
  'digests.period': digestPeriods,
  'job_pauses.reason': pauseReasons,
  'downtimes.cause': downtimeCauses,
  'lost_movements.kind': null,
  'lost_disputes.status': disputeStatuses,
  'lost_dispute_bookings.kind': null,
  'accounts.kind': null,
  'transfers.phase': null,
  'charges.status': null,
  'provider_calls.kind': null,
  'provider_calls.status': null,
  'payments.status': null,
  'refunds.status': null,
  'refund_parts.status': null,
  'sandbox_movements.kind': null,
  'platform_figures.unit': null,
}

const t = testApp()
let checks: { column: string; values: string[] }[]
beforeAll(async () => {
  const rows = await t.look<{ table: string; rule: string }>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as rule from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace order by 1, 2`)
  checks = rows.flatMap(({ table, rule }) => {
    // Only constraints that limit a column to a list: CHECK ((status = ANY (ARRAY['DRAFT'::text, …]))).
    const [, column, values] = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]+)\]\)\)\)$/.exec(rule) ?? []
    return column && values
      ? [{ column: `${table}.${column}`, values: [...values.matchAll(/'([^']*)'/g)].map(match => match[1]!) }]
      : []
  })
})

test('this test lists exactly the database’s enum constraints', () => {
  expect(checks.map(({ column }) => column).toSorted()).toEqual(Object.keys(lists).toSorted())
})

test.each(Object.entries(lists).filter(([, list]) => list !== null))(
  '%s: the database accepts the values of the contract, and nothing else',
  (column, list) => {
    expect(checks.find(check => check.column === column)?.values.toSorted()).toEqual(list!.toSorted())
  },
)
