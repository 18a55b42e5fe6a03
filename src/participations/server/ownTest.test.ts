/** One test, as its tester sees it. */
import { expect, test } from 'vitest'
import { joinedBy, liveCampaign } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import type { CampaignTester } from '../contract.ts'

const t = testApp()

test('a tester can open their own test with its days and notes, and nobody else can', async () => {
  const [developer, admin, tester, other] = await Promise.all([
    t.signUp('DEVELOPER'),
    t.signUp('ADMIN'),
    t.signUp('TESTER'),
    t.signUp('TESTER'),
  ])
  const { id } = await liveCampaign(developer, admin)
  const joined = await joinedBy(tester, id)
  await joinedBy(other, id)
  const path = `/testers/campaign-testers/${joined.id}`
  await tester.call('POST', `${path}/check-ins`, { note: 'The search is slow.' })
  const { status, body } = await tester.call<CampaignTester>('GET', path)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: joined.id,
    status: 'ACTIVE',
    campaign: { id },
    checkIns: [{ note: 'The search is slow.' }],
    actions: ['leave'],
  })
  expect((await other.call('GET', path)).status).toBe(404)
  expect((await developer.call('GET', path)).status).toBe(403)
})
