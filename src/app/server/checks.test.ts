/** A check that cannot fail guards nothing, so each one is shown to notice what it is there for. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  daysAndProof,
  draftOf,
  frozen,
  fundedBy,
  joinedBy,
  liveCampaign,
  paidTester,
  type Person,
} from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import { runChecks } from '../../testing/checks.ts'
import { connectBeside } from '../../testing/observed.ts'
import { clock } from '../../kit/clock.ts'
import type { Sql } from 'sql-template-tag'
import { transact, type Tx } from '../../kit/server/db.ts'
import { answerForTouched } from '../../operations/server/answers.ts'
import { takeChanges } from '../../operations/server/changes.queries.ts'
import { checks, isOfMoney } from '../../operations/server/checkFiles.ts'
import { picture } from '../../testing/pictures.ts'
import { uploaded } from '../../testing/uploads.ts'
import { projectRoot } from '../../kit/server/root.ts'
import type { FeedbackForm } from '../../feedback/contract.ts'
import { disputeChanged, settleDisputes } from '../../ledger/server/disputes.ts'
import { closeWaitingSeat, payGoodwill } from '../../ledger/server/ledger.ts'
import { paidAfterAll, stuckPart } from '../../testing/stuckRefund.ts'

/** Ways to break the data that each check has to notice. */
const breaks: Record<string, string[]> = {
  'account-marks.sql': [
    `insert into account_marks select a.id, (select max(id) from transfers), 1 from accounts a where kind = 'PROVIDER_CASH'`,
  ],
  'aging-escrow.sql': [`update campaigns set escrow_since = null`, `update campaigns set escrow_due_at = null`],
  'appeals.sql': [
    'delete from appeals',
    `update appeals set outcome = 'VERIFIED', note = 'Yes.', decided_at = now(), wake_at = null`,
    `update appeals set outcome = 'UPHELD', note = 'No.', decided_at = now(), wake_at = null`,
    `update participations set wake_at = wake_at + interval '1 hour' where status = 'REJECTED'`,
  ],
  'attachments.sql': [
    `update attachments set uploader_id = (select id from users where role = 'ADMIN') where kind = 'CHECK_IN'`,
    `update attachments set day = day - 1 where kind = 'CHECK_IN'`,
    `update attachments set kind = 'PROOF', day = null, position = 0 where kind = 'CHECK_IN'`,
    `update attachments set uploader_id = (select id from users where role = 'ADMIN') where kind = 'BUG'`,
    `update attachments set bug_event_id = (select max(id) from bug_events) where kind = 'BUG'`,
  ],
  'bench.sql': [
    'update campaigns set bench_testers = 1 where bench_testers = 0',
    `update campaigns set offered_seats = 1 where seats_taken + closed_seats < testers_required`,
    `insert into bench_entries (id, campaign_id, tester_id, entered_at, device_model, time_zone)
      select gen_random_uuid(), campaign_id, tester_id, now(), 'Pixel', 'UTC' from participations limit 1`,
  ],
  'bugs.sql': [
    'update bug_numbers set last = last + 1',
    'update bugs set comments = comments + 1',
    `update bugs set campaign_id = (select id from campaigns where id not in (select campaign_id from bugs) limit 1)`,
    `update bugs set status = 'DUPLICATE', fixed_in = null,
      duplicate_of = (select id from bugs where status = 'DUPLICATE' limit 1) where status = 'FIXED'`,
    `update bug_retests set withdrawn_at = now()`,
    `update bugs set status = 'OPEN', fixed_in = null where status = 'FIXED'`,
  ],
  'campaign-escrow-covers-seats.sql': [
    `update accounts set balance_cents = balance_cents + 1 where kind = 'CAMPAIGN_ESCROW'`,
    `update accounts set balance_cents = balance_cents + 1 where kind = 'CAMPAIGN_FEE'`,
    `update campaigns set open_testers = 0 where status = 'CANCELLED'`,
    'update campaigns set closed_seats = closed_seats - 1 where closed_seats > 0',
  ],
  'campaign-funding.sql': [
    'update campaigns set funded_cents = funded_cents + 1',
    'update campaigns set fee_cents = fee_cents + 1',
    `delete from transfers where business_key like 'refund-pay:%'`,
    `delete from transfers where business_key like 'refund-fee:%'`,
  ],
  'campaign-seats.sql': [
    'update campaigns set joins_ever = joins_ever + 1',
    'update campaigns set open_testers = open_testers - 1 where open_testers > 0',
    'update campaigns set verified_testers = verified_testers - 1 where verified_testers > 0',
    'update campaigns set seats_taken = seats_taken + 1 where seats_taken + closed_seats < testers_required',
    'update campaigns set closed_seats = closed_seats - 1 where closed_seats > 0',
    'update campaigns set closed_seats = closed_seats + 1 where seats_taken + closed_seats < testers_required',
  ],
  'check-in-counts.sql': [
    'update check_ins set run_id = 0',
    'update participations set check_in_count = check_in_count + 1',
    'update participations set last_check_in_day = last_check_in_day - 1',
    'delete from check_ins',
  ],
  'changes.sql': [
    'update versions set campaign_id = (select id from campaigns where id not in (select campaign_id from bugs) limit 1)',
    `insert into change_answers (change_id, bug_id) select c.id, a.bug_id from changes c, change_answers a
      where c.id not in (select change_id from change_answers)`,
  ],
  'disputes.sql': [
    `update campaigns set disputed_since = now() where disputed_since is null`,
    `update campaigns set dispute_lost_at = null`,
    `update disputes set campaign_id = (select id from campaigns where id <> campaign_id limit 1)`,
    `update disputes set amount_cents = amount_cents + 1 where status = 'LOST'`,
    `update disputes set covered_cents = covered_cents - 1 where status = 'LOST'`,
    `update disputes set give_back_cents = 1, give_back_since = now()`,
    `delete from transfers where business_key like 'dispute-lost:%'`,
  ],
  'developer-statement.sql': [
    `delete from transactions where type = 'FEE'`,
    `update transactions set amount_cents = amount_cents + 1 where type = 'DEBIT'`,
    `update transactions set status = 'FAILED' where description = 'Refund'`,
  ],
  'feedback.sql': [
    `update feedback_answers f set campaign_id = v.campaign_id from feedback_forms v where v.campaign_id <> f.campaign_id`,
    `update feedback_answers set answers = jsonb_build_object(gen_random_uuid(), 5)`,
    `update feedback_forms set questions = '[]'`,
  ],
  'figures.sql': [
    `update platform_figures set joined = joined + 1 where unit = 'month'`,
    `update platform_figures set users = users - 1 where unit = 'hour'`,
    'delete from platform_figures',
    'update verified_tests set verified = verified + 1',
    'update developer_figures set check_ins_expected = check_ins_expected + 1',
    'delete from figure_changes',
    'update campaign_revenue set most_cents = most_cents + 1',
    `delete from campaign_revenue where most_cents > 0`,
    // No trigger sees these changes.
    `delete from transfers where business_key like 'verify-fee:%'`,
    'update payments set amount_cents = amount_cents + 1',
    // The full count could miss this one as well.
    'update campaigns set funded_cents = funded_cents - 1 where funded_cents > 0',
  ],
  'goodwill.sql': [
    `update appeals set outcome = 'PLATFORM', decided_at = now(), wake_at = null where outcome is null`,
    `update appeals set outcome = 'VERIFIED', note = 'Yes.' where outcome = 'PLATFORM'`,
    `select post_transfer('stray', account_of('PLATFORM_REVENUE', null), account_of('PROVIDER_CASH', null), 1, null, now())`,
    `delete from transfers where business_key like 'verify-fee:%'`,
  ],
  'pending-transfers.sql': [
    `delete from transfers where business_key like 'payout:%'`,
    `update transfers set amount_cents = amount_cents + 1 where business_key like 'fund-pay:%'`,
    `update transfers set debit_account_id = account_of('PLATFORM_REVENUE', null) where business_key like 'fund-pay:%'`,
    `update provider_calls set status = 'DONE', settled_at = now() where kind = 'REFUND' and status = 'PENDING'`,
    `update outside_refunds set outcome = 'LAPSED', decided_at = now() where outcome is null`,
  ],
  'ledger-balances.sql': [
    `update accounts set balance_cents = balance_cents + 1 where kind = 'TESTER_BALANCE'`,
    `delete from transfers where business_key like 'fund-pay:%'`,
    `delete from transfers where business_key like 'withdraw:%'`,
  ],
  'ndas.sql': [
    'update participations set nda_accepted = null, nda_accepted_at = null where nda_accepted is not null',
    `update participations set nda_accepted_at = nda_accepted_at + interval '1 second'`,
    `update nda_acceptances set tester_id = (select id from users where role = 'ADMIN')`,
    'insert into nda_texts select campaign_id, 99, text, set_at from nda_texts where version = 1',
    `update participations set nda_refused = false where nda_refused`,
  ],
  'partitions.sql': [
    `insert into check_ins (participation_id, day, at) select id, '2100-01-01', now() from participations limit 1`,
    `insert into audit_log select gen_random_uuid(), '2100-01-01', admin_id, action, subject_type, subject_id, facts
      from audit_log limit 1`,
    `insert into past_partitions (name, parent, until_day, leaving_since)
      values ('check_ins_first', 'check_ins', '2020-01-01', now() - interval '3 days')`,
  ],
  'platform-accounts.sql': [
    `update payments set amount_cents = amount_cents + 1`,
    `update disputes set provider_fee_cents = provider_fee_cents + 1`,
    `update disputes set covered_cents = covered_cents - 1, settled_cents = 1 where status = 'LOST'`,
    ...['refund_parts', 'withdrawals'].flatMap(table =>
      ['PENDING', 'COMPLETED'].map(
        status => `update ${table} set amount_cents = amount_cents + 1 where status = '${status}'`,
      ),
    ),
    ...[
      'PLATFORM_REVENUE',
      'PAYOUTS_IN_TRANSIT',
      'REFUNDS_IN_TRANSIT',
      'DISPUTES_RECEIVABLE',
      'PAID_OUTSIDE',
      'REFUNDS_OVERPAID',
      'GIVEN_UP',
    ].map(
      kind =>
        `select post_transfer('stray', account_of('${kind}', null), account_of('PROVIDER_CASH', null), 1, null, now())`,
    ),
    `select post_transfer('stray', account_of('TESTER_BALANCE', tester_id), account_of('PLATFORM_REVENUE', null), 1, null, now())
      from withdrawals limit 1`,
    `update outside_refunds set amount_cents = amount_cents + 1 where outcome = 'PAID'`,
    `update outside_refunds set outcome = 'LAPSED', decided_at = now() where outcome is null`,
    `update over_refunds set amount_cents = amount_cents + 1 where outcome is null`,
    `update over_refunds set amount_cents = amount_cents + 1 where outcome = 'SETTLED'`,
    `update over_refunds set outcome = 'CAME_BACK', ended_at = now() where outcome is null`,
    // If a campaign's last seat was closed, the fee's rounding belongs to the developer, and so does each closed seat's share.
    `update campaigns set fee_cents = fee_cents + 1 where closed_seats + verified_testers = testers_required`,
    `update campaigns set verified_testers = verified_testers + 1, seats_taken = seats_taken + 1 where closed_seats > 0
      and seats_taken + closed_seats < testers_required`,
  ],
  'provider-agrees.sql': [
    ...['CHARGE', 'PAYOUT', 'REFUND'].map(kind => `delete from sandbox_movements where kind = '${kind}'`),
    `insert into sandbox_movements values (gen_random_uuid(), 'CHARGE', 1, 'a@b.c', null, now())`,
    `update sandbox_movements set amount_cents = amount_cents + 1`,
    `delete from over_refunds`,
    `update outside_refunds set outcome = 'LAPSED', decided_by = null where outcome = 'PAID'`,
  ],
  'refund-parts.sql': [
    'update refunds set amount_cents = amount_cents + 1',
    'delete from refund_parts where id not in (select part_id from outside_refunds)',
    `update refunds set status = 'COMPLETED', settled_at = now() where status = 'PENDING'`,
    `update refund_parts set status = 'PENDING', settled_at = null`,
    // Refunds more than was paid in, in a refund and its part alike.
    `with more as (update refund_parts set amount_cents = amount_cents + 1000000 returning refund_id)
      update refunds set amount_cents = amount_cents + 1000000 where id in (select refund_id from more)`,
    `update payments set status = 'FAILED', failure_reason = 'Declined'`,
    `update outside_refunds set amount_cents = amount_cents - 1 where outcome is null`,
    `update refund_parts set status = 'PENDING', settled_at = null where id in (select part_id from outside_refunds)`,
    `update refund_parts set payment_id = (select id from payments p where p.id not in (select payment_id from refund_parts) limit 1)`,
  ],
  'payout-approvals.sql': [
    `insert into payout_approvals (withdrawal_id, requested_at) select id, created_at from withdrawals where status <> 'PENDING' limit 1`,
    `insert into payout_approvals (withdrawal_id, requested_at, outcome, decided_by, decided_at, reason)
      select id, created_at, 'REFUSED', (select id from users where role = 'ADMIN' limit 1), now(), 'No.'
      from withdrawals where status <> 'FAILED' limit 1`,
  ],
  'rejection-requests.sql': [
    `insert into rejection_requests (participation_id, requested_at, code, reason)
      select id, now(), 'OTHER', 'Not of our app.' from participations where status = 'VERIFIED' limit 1`,
  ],
  'tester-pay.sql': [
    // A wait that is paid twice, although the total agrees with the test.
    `with twice as (select post_transfer('cancel-pay:' || p.id, account_of('CAMPAIGN_ESCROW', p.campaign_id),
        account_of('TESTER_BALANCE', tester_id), 1, p.campaign_id, now()), p.id
        from participations p join transfers t on t.business_key = 'waiting-pay:' || p.id)
      update participations set payout_amount_cents = payout_amount_cents + 1 where id in (select id from twice)`,
    `update participations set payout_amount_cents = payout_amount_cents + 1 where status = 'VERIFIED'`,
    `update participations set payout_amount_cents = payout_amount_cents + 1 where status = 'CANCELLED'`,
    `select post_transfer('verify-pay:' || p.id, account_of('CAMPAIGN_ESCROW', campaign_id),
      account_of('TESTER_BALANCE', tester_id), 1, campaign_id, now()) from participations p where status = 'ACTIVE'`,
  ],
  'tester-statement.sql': [
    `update transactions set amount_cents = amount_cents + 1 where type = 'PAYOUT'`,
    `delete from transactions where description = 'Verified test'`,
    `update accounts set balance_cents = balance_cents + 1 where kind = 'TESTER_BALANCE'`,
  ],
}

/** Breaks the sum of all revenue, which only the full check adds up. Checks of recent changes notice all the others. */
const onlyAtNight = new Set([breaks['goodwill.sql']!.at(-1)!])

const t = testApp()

/**
 * A campaign with one seat closed by its developer, one closed after a wait in vain and one left; and one with all seats closed.
 */
const withClosedSeats = async (developer: Person, admin: Person) => {
  const tester = await t.signUp('TESTER')
  const { id } = await liveCampaign(developer, admin, { testersRequired: 3, payPerTesterCents: 103 })
  const { id: participationId } = await joinedBy(tester, id)
  await t.look(`update campaigns set access_mode = 'EMAIL_LIST' where id = $1`, [id])
  await t.look(`update participations set joined_at = joined_at - interval '7 days' where id = $1`, [participationId])
  await transact(tx => closeWaitingSeat(tx, { participationId, whenDue: false }))
  const { id: lastId } = await liveCampaign(developer, admin, { testersRequired: 2, payPerTesterCents: 103 })
  for (const campaign of [id, lastId, lastId]) {
    const { status } = await developer.call('POST', `/campaigns/${campaign}/close-seat`)
    expect(status).toBe(200)
  }
}

/** A bug with a picture and a comment, fixed but not retested, and another bug that is a duplicate of it. */
const withBugs = async (developer: Person, admin: Person) => {
  const tester = await t.signUp('TESTER')
  const { id } = await liveCampaign(developer, admin)
  await joinedBy(tester, id)
  const { id: file } = await uploaded(t, tester, await picture())
  const report = async (attachmentIds: string[]) => {
    const found = { title: 'Crash', severity: 'LOW', steps: 'Open it.', actual: 'It closes.', attachmentIds }
    return (await tester.call<{ id: string }>('POST', `/campaigns/${id}/bugs`, found)).body.id
  }
  const [first, second] = [await report([file]), await report([])]
  await tester.call('POST', `/bugs/${first}/comments`, { text: 'Each time.' })
  await developer.call('PATCH', `/bugs/${second}`, { status: 'DUPLICATE', duplicateOf: first })
  const changes = [{ text: 'No crash', bugIds: [first] }, { text: 'A new icon' }]
  const { status } = await developer.call('POST', `/campaigns/${id}/changes`, { version: '1.2', changes })
  expect(status).toBe(201)
}

/** The tester accepted the first NDA, tested for a day, and refused the second one. */
const withRefusedNda = async (developer: Person, admin: Person) => {
  const tester = await t.signUp('TESTER')
  const { id } = await liveCampaign(developer, admin, { payPerTesterCents: 1400 })
  const nda = (text: string) => developer.call('PUT', `/campaigns/${id}/nda`, { text })
  await nda('Tell nobody.')
  const { id: participationId } = await joinedBy(tester, id)
  await tester.call('POST', `/campaigns/${id}/nda/accept`, { name: 'Tess Tester', version: 1 })
  await tester.call('POST', `/testers/campaign-testers/${participationId}/check-ins`, {})
  await nda('Tell nobody, ever.')
  const { status } = await tester.call('POST', `/testers/campaign-testers/${participationId}/refuse-nda`)
  expect(status).toBe(200)
}

/** The form has changed, and both versions have answers. A second campaign has two versions as well. */
const withFeedback = async (
  developer: Person,
  tester: Person,
  { campaign, participationId }: { campaign: { id: string }; participationId: string },
) => {
  const other = await draftOf(developer)
  for (const text of ['How good is it?', 'How fast is it?']) {
    const asked = { questions: [{ kind: 'RATING', text, required: false }] }
    await developer.call('PUT', `/campaigns/${other.id}/feedback-form`, asked)
    const { body } = await developer.call<FeedbackForm>('PUT', `/campaigns/${campaign.id}/feedback-form`, asked)
    const answered = { version: body.version, answers: { [body.questions[0]!.id]: 4 } }
    const { status } = await tester.call('POST', `/testers/campaign-testers/${participationId}/feedback`, answered)
    expect(status).toBe(200)
  }
}

/** A test that the platform paid because nobody decided on its appeal. */
const withGoodwill = async (developer: Person, admin: Person) => {
  const person = await t.signUp('TESTER')
  const { id } = await frozen(t, person, (await liveCampaign(developer, admin, { payPerTesterCents: 100 })).id)
  await person.call('POST', `/testers/campaign-testers/${id}/appeal`, {
    reason: 'The picture shows the search of the app.',
  })
  const { status } = await transact(async tx => ({ status: await payGoodwill(tx, id) }))
  expect(status).toBe('OK')
}

/** A payment that the bank took back and the campaign's money covered. */
const withLostDispute = async (developer: Person, admin: Person) => {
  const { id } = await liveCampaign(developer, admin)
  const [payment] = await t.look<{ id: string }>('select id from payments where campaign_id = $1', [id])
  const news = { provider: 'test', reference: 'one', paymentId: payment!.id, amountCents: 1000, reason: 'fraudulent' }
  await transact(tx => disputeChanged(tx, { ...news, status: 'LOST', at: clock.now() }))
  await settleDisputes.run({})
}

/** Refunds paid by other means: one awaiting a second admin, one paid, and two that the provider paid as well. */
const withOutsideRefunds = async (developer: Person, admin: Person) => {
  const paid = async () => {
    const { id } = await fundedBy(developer)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    const part = await stuckPart(t, id)
    const body = { amountCents: 3450, reference: 'SEPA 2026-11-23 0815' }
    expect((await admin.call('POST', `/admin/stuck-refunds/${part}/pay`, body)).status).toBe(200)
    return part
  }
  await paid()
  for (const settles of [false, true]) {
    const part = await paid()
    await paidAfterAll(t, part)
    if (settles) await admin.call('POST', `/admin/stuck-refunds/${part}/settle`, { note: 'Given back.' })
  }
  await t.look('update settings set payout_approval_cents = 1500')
  await paid()
  await t.look('update settings set payout_approval_cents = null')
}

let db: pg.Client
beforeAll(async () => {
  const [developer, admin] = await Promise.all([t.signUp('DEVELOPER'), t.signUp('ADMIN')])
  const tester = await paidTester(t, developer, admin, 3000)
  const joined = async () => {
    const campaign = await liveCampaign(developer, admin, { durationDays: 1 })
    return { campaign, participationId: (await joinedBy(tester, campaign.id)).id }
  }
  const cancel = ({ campaign }: Awaited<ReturnType<typeof joined>>) =>
    developer.call('POST', `/campaigns/${campaign.id}/cancel`)
  const withdraw = () => tester.call('POST', '/testers/withdraw', { amountCents: 1000 })
  const proven = await joined()
  await daysAndProof(t, [{ person: tester, participationId: proven.participationId }], 1)
  await cancel(proven)
  await withdraw()
  await t.advance(1)
  // The clock stands still from here on, so what follows stays pending.
  const begun = await joined()
  await withFeedback(developer, tester, begun)
  const { id: attachmentId } = await uploaded(t, tester, await picture())
  await tester.call('POST', `/testers/campaign-testers/${begun.participationId}/check-ins`, { attachmentId })
  await cancel(begun)
  await withdraw()
  await joined()
  await frozen(t, await t.signUp('TESTER'), (await liveCampaign(developer, admin)).id)
  const appealed = await t.signUp('TESTER')
  const appeal = { reason: 'The second picture shows the search of the app.' }
  const { id: appealedId } = await frozen(t, appealed, (await liveCampaign(developer, admin)).id)
  const { status } = await appealed.call('POST', `/testers/campaign-testers/${appealedId}/appeal`, appeal)
  expect(status).toBe(200)
  await withGoodwill(developer, admin)
  await withClosedSeats(developer, admin)
  await withBugs(developer, admin)
  await withRefusedNda(developer, admin)
  await withLostDispute(developer, admin)
  await withOutsideRefunds(developer, admin)
  db = await connectBeside(t)
})
afterAll(() => db.end())

const broken = () => runChecks(sql => db.query(sql))

test('every check has a way to break it', async () => {
  const files = (await readdir(join(projectRoot, 'checks'))).filter(file => file.endsWith('.sql'))
  expect(Object.keys(breaks).toSorted()).toEqual(files.toSorted())
})

/** Runs the check of every minute on the changes of this connection. */
const brokenByChanges = async (): Promise<string[]> => {
  const tx: Pick<Tx, 'one' | 'raw'> = {
    one: async <Row>({ text, values }: Sql) => (await db.query(text, values)).rows[0] as Row,
    raw: (text, values) => db.query(text, values),
  }
  const taken = await takeChanges(tx, 1_000_000)
  const money = (await checks()).filter(isOfMoney)
  const found: string[] = []
  for (const { name, touchedSql } of money)
    if ((await answerForTouched(tx, touchedSql!, taken)).broken > 0) found.push(`${name}.sql`)
  return found
}

test('the changes made so far are valid', async () => {
  await db.query('begin')
  try {
    expect(await brokenByChanges()).toEqual([])
  } finally {
    await db.query('rollback')
  }
})

test('the data is valid before it is broken', async () => expect(await broken()).toEqual([]))

test.each(Object.entries(breaks).flatMap(([check, statements]) => statements.map(statement => [check, statement])))(
  '%s notices: %s',
  async (check, statement) => {
    const { touchedSql } = (await checks()).find(({ name }) => `${name}.sql` === check)!
    await db.query('begin')
    try {
      await db.query(`alter table transfers disable trigger transfers_append_only; set local fieldtest.posting = 'on'`)
      await db.query('alter table transfers drop constraint transfers_pending_id_fkey')
      await db.query('delete from money_changes')
      await db.query(statement!)
      expect((await broken()).map(found => found.check)).toContain(check)
      if (touchedSql !== null && !onlyAtNight.has(statement!)) expect(await brokenByChanges()).toContain(check)
    } finally {
      await db.query('rollback')
    }
  },
)
