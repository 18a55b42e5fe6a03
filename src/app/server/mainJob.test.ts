import { expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance, Transaction, Withdrawal } from '../../ledger/contract.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { daysAndProof, joinedBy, liveCampaign } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import { runChecks } from '../../testing/checks.ts'
import { autocommit } from '../../kit/server/db.ts'

const t = testApp()

test('a campaign runs from registration to a completed withdrawal, and the books balance', async () => {
  const [developer, admin, tester] = await Promise.all([t.signUp('DEVELOPER'), t.signUp('ADMIN'), t.signUp('TESTER')])
  const campaign = await liveCampaign(developer, admin, { testersRequired: 1 })
  expect(campaign).toMatchObject({ status: 'LIVE', fundedCents: 1000, feeCents: 150, outstandingCents: 0 })
  const { id: participationId } = await joinedBy(tester, campaign.id)
  await daysAndProof(t, [{ person: tester, participationId }], 14)

  const verified = await developer.call<CampaignTester>('POST', `/campaign-testers/${participationId}/verify`)
  expect(verified.body).toMatchObject({ status: 'VERIFIED', payoutAmountCents: 1000 })
  expect((await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents).toBe(1000)

  const withdrawal = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1000 }, 'key-1')
  expect(withdrawal).toMatchObject({ status: 201, body: { status: 'PENDING', balanceCents: 0 } })
  await t.advance(1)

  const { body } = await tester.call<{ data: Transaction[] }>('GET', '/users/me/transactions')
  expect(body.data.map(line => [line.type, line.status, line.amountCents])).toEqual([
    ['PAYOUT', 'COMPLETED', 1000],
    ['CREDIT', 'COMPLETED', 1000],
  ])
  expect((await developer.call<Campaign>('GET', `/campaigns/${campaign.id}`)).body.status).toBe('COMPLETED')
  expect(await runChecks(sql => autocommit.raw(sql) as Promise<{ rows: unknown[] }>)).toEqual([])
})
