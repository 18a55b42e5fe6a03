/** System settings are validated, audited, and copied to campaigns created after a change (product.md §7). */
import { afterAll, afterEach, expect, test } from 'vitest'
import { daysAndProof, draftOf, fundedBy, joinedBy, liveCampaign, paidTester } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks, emailsOf } from '../../testing/observed.ts'
import type { Campaign, NewCampaignTerms } from '../../campaigns/contract.ts'
import type { Balance } from '../../ledger/contract.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import {
  answerCharacters,
  atRiskHours,
  auditLogMonths,
  checkInMonths,
  consentAfterOverturned,
  consentOfLast,
  draftsPerDeveloper,
  dropHours,
  goodwillInAllCents,
  goodwillPerDeveloperCents,
  jobDays,
  minimumWithdrawalCents,
  payoutApprovalCents,
  notificationMonths,
  openTestsPerTester,
  confirmedEmailRequired,
  platformFee,
  reviewHours,
  signInMonths,
  weakPasswords,
} from '../terms.ts'
import type { Settings } from '../contract.ts'

const defaults: Settings = {
  feeBasisPoints: platformFee,
  minimumWithdrawalCents,
  payoutApprovalCents,
  reviewHours,
  atRiskHours,
  dropHours,
  draftsPerDeveloper,
  openTestsPerTester,
  answerCharacters,
  goodwillPerDeveloperCents,
  goodwillInAllCents,
  consentAfterOverturned,
  consentOfLast,
  checkInMonths,
  notificationMonths,
  auditLogMonths,
  signInMonths,
  jobDays,
  confirmedEmailRequired,
  weakPasswords,
}

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
afterEach(() => change(defaults))
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
})

const change = (body: object) => admin.call<Settings & { message?: string }>('PATCH', '/admin/settings', body)
const current = async () => (await admin.call<Settings>('GET', '/admin/settings')).body
const testerOf = async (campaignId: string) =>
  (await admin.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)).body[0]!

test('the defaults are the spec’s constants', async () => {
  expect(await current()).toEqual({ ...defaults, limitChange: null })
  expect(defaults).toEqual({
    feeBasisPoints: 1500,
    minimumWithdrawalCents: 1000,
    payoutApprovalCents: null,
    reviewHours: 72,
    atRiskHours: 48,
    dropHours: 72,
    weakPasswords: 'warn',
    draftsPerDeveloper: 100,
    openTestsPerTester: 8,
    answerCharacters: 300,
    goodwillPerDeveloperCents: 20_000,
    goodwillInAllCents: 200_000,
    consentAfterOverturned: 3,
    consentOfLast: 10,
    checkInMonths: 24,
    notificationMonths: 12,
    auditLogMonths: 24,
    signInMonths: 3,
    jobDays: 7,
    confirmedEmailRequired: false,
  })
})

test.each([
  [{ feeBasisPoints: -1 }, 'feeBasisPoints'],
  [{ feeBasisPoints: 10_001 }, 'feeBasisPoints'],
  [{ feeBasisPoints: 12.5 }, 'feeBasisPoints'],
  [{ minimumWithdrawalCents: 99 }, 'minimumWithdrawalCents'],
  [{ payoutApprovalCents: 99 }, 'payoutApprovalCents'],
  [{ reviewHours: 0 }, 'reviewHours'],
  [{ atRiskHours: 72 }, 'atRiskHours'],
  [{ dropHours: 48 }, 'dropHours'],
  [{ dropHours: 721 }, 'dropHours'],
  [{ consentAfterOverturned: 11 }, 'consentAfterOverturned'],
  [{ consentOfLast: 2 }, 'consentOfLast'],
  [{ goodwillPerDeveloperCents: -1 }, 'goodwillPerDeveloperCents'],
  [{ goodwillInAllCents: 100_000_001 }, 'goodwillInAllCents'],
  [{ weakPasswords: 'forbid' }, 'weakPasswords'],
  [{ draftsPerDeveloper: 0 }, 'draftsPerDeveloper'],
  [{ openTestsPerTester: 1001 }, 'openTestsPerTester'],
  [{ answerCharacters: 99 }, 'answerCharacters'],
  [{ answerCharacters: 4001 }, 'answerCharacters'],
  [{ checkInMonths: 11 }, 'checkInMonths'],
  [{ notificationMonths: 2 }, 'notificationMonths'],
  [{ auditLogMonths: 121 }, 'auditLogMonths'],
  [{ signInMonths: 0 }, 'signInMonths'],
  [{ jobDays: 91 }, 'jobDays'],
  [{ confirmedEmailRequired: 'yes' }, 'confirmedEmailRequired'],
  [{}, undefined],
])('%j is refused, and changes nothing', async (input, field) => {
  const { status, body } = await admin.call('PATCH', '/admin/settings', input)
  expect([status, Object.keys(body.fields ?? {})[0]]).toEqual([400, field])
  expect(await current()).toEqual({ ...defaults, limitChange: null })
})

test('each change is one audit entry with the old and the new value; of two concurrent changes both stay', async () => {
  const before = (await t.look('select id from audit_log')).length
  await Promise.all([change({ reviewHours: 24 }), change({ feeBasisPoints: 1000 })])
  expect(await current()).toEqual({ ...defaults, limitChange: null, reviewHours: 24, feeBasisPoints: 1000 })
  const entries = await t.look<{ facts: Record<string, string> }>(
    "select facts from audit_log where action = 'settings.change' order by id desc limit 2",
  )
  expect(entries.map(entry => entry.facts)).toEqual(
    expect.arrayContaining([{ reviewHours: '72 → 24' }, { feeBasisPoints: '1500 → 1000' }]),
  )
  expect((await t.look('select id from audit_log')).length).toBe(before + 2)
})

test('unchanged settings are not in the audit entry, and a change of nothing leaves none', async () => {
  const entries = () => t.look<{ facts: object }>("select facts from audit_log where action = 'settings.change'")
  const before = (await entries()).length
  expect(await change(defaults)).toMatchObject({ status: 200, body: defaults })
  expect(await entries()).toHaveLength(before)
  // All of the latest rejections may have to be overturned, and then nothing contradicts anything.
  expect((await change({ consentAfterOverturned: defaults.consentOfLast })).status).toBe(200)
  expect((await change(defaults)).status).toBe(200)
  const since = (await entries()).length
  expect((await change({ ...defaults, reviewHours: 24 })).body).toEqual({
    ...defaults,
    limitChange: null,
    reviewHours: 24,
  })
  expect((await entries()).slice(since)).toEqual([{ facts: { reviewHours: '72 → 24' } }])
})

test('a new campaign gets the new fee; an existing draft keeps the old one, also when it is edited', async () => {
  const old = await draftOf(developer)
  await change({ feeBasisPoints: 1250 })
  expect((await developer.call<NewCampaignTerms>('GET', '/campaigns/new-terms')).body.feeBasisPoints).toBe(1250)
  const fresh = await fundedBy(developer)
  expect(fresh).toMatchObject({ feeBasisPoints: 1250, quotedFeeCents: 375, feeCents: 375, totalCostCents: 3375 })
  const edited = await developer.call<Campaign>('PATCH', `/campaigns/${old.id}`, { testersRequired: 10 })
  expect(edited.body).toMatchObject({ feeBasisPoints: 1500, quotedFeeCents: 1500, totalCostCents: 11_500 })
})

test('the fee can be zero', async () => {
  await change({ feeBasisPoints: 0 })
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1 })
  const tester = await t.signUp('TESTER')
  const participationId = (await joinedBy(tester, id)).id
  await daysAndProof(t, [{ person: tester, participationId }], 1)
  expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
  expect((await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents).toBe(1000)
})

test('a new campaign follows the new hours; a running campaign keeps its own', async () => {
  const old = await liveCampaign(developer, admin, { title: 'Old hours' })
  await change({ atRiskHours: 30, dropHours: 60, reviewHours: 5 })
  const fresh = await liveCampaign(developer, admin, { title: 'New hours' })
  const [early, late] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await joinedBy(early, fresh.id)
  await joinedBy(late, old.id)
  await t.advance(30)
  expect([(await testerOf(fresh.id)).atRisk, (await testerOf(old.id)).atRisk]).toEqual([true, false])
  await t.advance(30)
  expect([(await testerOf(fresh.id)).status, (await testerOf(old.id)).status]).toEqual(['DROPPED', 'ACTIVE'])
  expect(await testerOf(old.id)).toMatchObject({ status: 'ACTIVE', atRisk: true })
  expect(await emailsOf(t)).toContain(`${early.user.email}: You lost your seat: New hours`)
})

test('a proof is auto-verified after the campaign’s own review hours', async () => {
  await change({ reviewHours: 5 })
  const { id } = await liveCampaign(developer, admin, { durationDays: 1, testersRequired: 1 })
  const tester = await t.signUp('TESTER')
  await daysAndProof(t, [{ person: tester, participationId: (await joinedBy(tester, id)).id }], 1)
  await t.advance(4)
  expect((await testerOf(id)).status).toBe('SUBMITTED')
  await t.advance(1)
  expect(await testerOf(id)).toMatchObject({ status: 'VERIFIED', review: { bySilence: true } })
})

const refusedWith = (message: string) => ({
  status: 400,
  body: { code: 'INVALID_INPUT', message, fields: { amountCents: message } },
})

test('the current setting is the minimum withdrawal, and the refusal quotes it in the spec’s words', async () => {
  const tester = await paidTester(t, developer, admin, 5000)
  const withdraw = (amountCents: number) => tester.call('POST', '/testers/withdraw', { amountCents })
  const balance = async () => (await tester.call<Balance>('GET', '/testers/balance')).body
  expect(await withdraw(999)).toMatchObject(refusedWith('Minimum withdrawal amount is $10'))
  await change({ minimumWithdrawalCents: 2550 })
  expect((await balance()).minimumWithdrawalCents).toBe(2550)
  expect(await withdraw(2549)).toMatchObject(refusedWith('Minimum withdrawal amount is $25.50'))
  expect(await balance()).toMatchObject({ balanceCents: 5000, onTheWayCents: 0 })
  await change({ minimumWithdrawalCents: 100 })
  expect((await withdraw(100)).status).toBe(201)
  expect((await inParallel(2, () => withdraw(99))).map(({ status }) => status)).toEqual([400, 400])
})
