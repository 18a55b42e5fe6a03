/** Who is told what about a dispute: once of each beginning and once of each end. */
import { afterEach, describe, expect, test } from 'vitest'
import { frozen, fundedBy, joinedBy, type Person } from '../../testing/app.ts'
import { disputesIn, toldOf } from '../../testing/disputes.ts'
import { brokenChecks, emailsOf } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { begun, news, payingBy, settled } = disputesIn(t, admin)
const reason = 'This shows another app, and none of the days was spent with ours at all.'

describe('a campaign whose payment is disputed', () => {
  test('tells the owner and testers inside once of the beginning and once of the end', async () => {
    const { developer, id } = await begun()
    const tester = await t.signUp('TESTER')
    await joinedBy(tester, id)
    for (const status of ['OPEN', 'OPEN', 'WON', 'WON', 'OPEN'] as const) await news(id, status)
    await settled()
    const of = async ({ user }: Person) =>
      (await emailsOf(t)).filter(mail => mail.startsWith(`${user.email}: `) && /disput|Your test continues/.test(mail))
    expect(await of(developer)).toEqual([
      `${developer.user.email}: The dispute is over: Try our notes app`,
      `${developer.user.email}: Your payment is disputed: Try our notes app`,
    ])
    expect(await of(tester)).toEqual([
      `${tester.user.email}: The dispute is over: Try our notes app`,
      `${tester.user.email}: Your test continues: Try our notes app`,
    ])
  })

  test('that is approved meanwhile is not said to be ready to start', async () => {
    const developer = await payingBy(null)
    const { id } = await fundedBy(developer)
    await news(id, 'OPEN')
    expect((await admin.call('POST', `/admin/campaigns/${id}/approve`)).status).toBe(200)
    expect(await toldOf(developer, /^Approved/)).toEqual([expect.stringContaining('once your bank has decided')])
    await news(id, 'WON')
  })

  test('tells nobody whose proof was rejected that the test continues', async () => {
    const { id } = await begun({ testersRequired: 2 })
    const [rejected, appealed] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await frozen(t, rejected, id)
    const { id: testId } = await frozen(t, appealed, id)
    const asked = await appealed.call('POST', `/testers/campaign-testers/${testId}/appeal`, { reason })
    expect(asked.status).toBe(200)
    await news(id, 'OPEN')
    await news(id, 'WON')
    for (const tester of [rejected, appealed])
      expect(await toldOf(tester, /Your test continues|The dispute is over/)).toEqual([])
  })

  test('is announced without mentioning future testers once the campaign has ended', async () => {
    const { developer, id } = await begun()
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await news(id, 'OPEN')
    await news(id, 'WON')
    const told = await toldOf(developer, /disputed|dispute is over/)
    expect(told).toHaveLength(2)
    expect(told.join(' ')).not.toMatch(/new testers|Current testers|continues/)
    expect((await toldOf(admin, /A dispute was won/))[0]).not.toContain('continues')
  })

  test('and that is cancelled by an admin promises its owner no refund before the bank has decided', async () => {
    const { developer, id } = await begun()
    await news(id, 'OPEN')
    await admin.call('POST', `/campaigns/${id}/cancel`)
    const [text] = await toldOf(developer, /^Cancelled/)
    expect(text).toContain('until your bank has decided on the dispute')
    expect(text).not.toContain('refund the rest')
    await news(id, 'WON')
    await settled()
  })
})
