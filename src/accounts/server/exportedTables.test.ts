/** Every table that can hold something about a user is in the export of their data, or is left out of it for a reason. */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { exported } from './exporting.queries.ts'

const t = testApp()

const tablesOf: Record<keyof typeof exported, string[]> = {
  sessions: ['sessions'],
  pastDevices: ['past_device_uses'],
  secondFactors: ['passkeys', 'recovery_codes', 'totp_secrets'],
  campaigns: ['campaigns'],
  tests: ['participations'],
  appeals: ['appeals'],
  optIns: ['opt_in_runs'],
  benchPlaces: ['bench_entries'],
  passedSeats: ['bench_passes'],
  playAddresses: ['play_addresses'],
  ndas: ['nda_texts'],
  ndaAcceptances: ['nda_acceptances'],
  checkIns: ['check_ins', 'past_check_in_days'],
  bugs: ['bugs'],
  bugEvents: ['bug_events'],
  changes: ['changes', 'versions'],
  feedbackForms: ['feedback_forms'],
  feedback: ['feedback_answers'],
  feedbackRetests: ['change_feedback'],
  attachments: ['attachments'],
  transactions: ['transactions'],
  payments: ['payments'],
  refunds: ['refunds', 'refund_parts'],
  disputes: ['disputes'],
  withdrawals: ['withdrawals'],
  payoutAccounts: ['payout_accounts', 'removed_payout_accounts'],
  notifications: ['notifications'],
  notificationChoices: ['notification_choices'],
  digests: ['digests'],
  // Has only an email address.
  waitlist: [],
}

const leftOut: Record<string, string[]> = {
  'repeats what is exported': [
    'bug_numbers',
    'bug_retests',
    'campaign_events',
    'campaign_revenue',
    'change_answers',
    'charges',
    'developer_figures',
    'dispute_covers',
    'dispute_settlements',
    'play_counts',
    'transfers',
  ],
  'is a secret, or of use for some hours only': [
    'email_links',
    'factor_challenges',
    'factor_guesses',
    'idempotency_keys',
    'refresh_tokens',
    'reminders',
    'removed_uploads',
  ],
  'would show how fraud is found': ['fraud_finding_parts', 'fraud_reports', 'proof_marks'],
  'records how the platform is run; what follows from it for the user is exported': [
    'audit_log',
    'downtimes',
    'escrow_decisions',
    'fraud_scan_progress',
    'fraud_scans',
    'job_pauses',
    'limit_changes',
    'lost_returns',
    'money_breaches',
    'outside_refunds',
    'over_refunds',
    'payout_approvals',
    'rejection_requests',
    'tester_list_changes',
    'tester_list_exports',
  ],
}

test('every table that refers to people, or to something of theirs, is in the export or left out for a reason', async () => {
  const tables = await t.look<{ name: string }>(`
    with recursive reached (id) as (
      select 'users'::regclass::oid
      union select conrelid from pg_constraint join reached on confrelid = reached.id where contype = 'f'
    )
    select relname as name from reached join pg_class on oid = id
    where not relispartition and relname <> 'users' order by 1`)
  const known = [...Object.values(tablesOf), ...Object.values(leftOut)].flat()
  expect(known.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})
