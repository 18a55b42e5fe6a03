/** Texts of proofs that are nearly the same (product.md §6). */
import { expect, test } from 'vitest'
import { joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { fraudScan } from '../../testing/fraudScan.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { marksOf } from '../nearProofs.ts'

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')

const text =
  'I opened the shop every morning, put three things into the basket and paid for them with the test card. The basket kept everything, but the price of the second thing was rounded in a strange way.'
const reworded = text.replace('three things', 'some things').replace('strange', 'wrong')

const scan = () => fraudScan(t, admin)

let campaigns = 0
const handIn = async (proof: string, person?: Person) => {
  const title = `Shop ${++campaigns}`
  const campaign = await liveCampaign(developer, admin, { title, durationDays: 1, dailyCheckIn: false })
  const tester = person ?? (await t.signUp('TESTER'))
  const { id } = await joinedBy(tester, campaign.id)
  await t.advance(24)
  const submit = async (said: string) =>
    expect((await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof: said })).status).toBe(200)
  await submit(proof)
  return { tester, campaign, id, submit }
}

test('a text with some words replaced is reported on the later tester, with both texts', async () => {
  const first = await handIn(text)
  const copy = await handIn(reworded)
  const [report, ...more] = await scan()
  expect(more).toEqual([])
  expect(report).toMatchObject({
    user: { id: copy.tester.user.id },
    eventData: { severity: 'MEDIUM', reason: 'Nearly the same proof text from several testers' },
  })
  expect(report!.eventData.details).toMatch(
    /^2 testers submitted nearly the same text in 2 campaigns\. The first and the last share \d\d% of their three-word sequences\.$/,
  )
  expect(report!.eventData.evidence.map(({ label, value, user }) => [label, value, user?.id])).toEqual([
    ['First text', text, undefined],
    ['Last text', reworded, undefined],
    ['Submitted', first.campaign.title, first.tester.user.id],
    ['Submitted', copy.campaign.title, copy.tester.user.id],
  ])
  expect(await scan()).toHaveLength(1)
})

test('a third copy that a later scan sees is reported again, with all three', async () => {
  await handIn(text)
  await handIn(reworded)
  expect(await scan()).toHaveLength(1)
  const third = await handIn(`${reworded} That is all.`)
  const [newest, ...more] = await scan()
  expect(more).toHaveLength(1)
  expect(newest!.user.id).toBe(third.tester.user.id)
  expect(newest!.eventData.details).toContain('3 testers submitted nearly the same text in 3 campaigns')
})

test('a text that a tester wrote before changes were requested no longer counts', async () => {
  await handIn(text)
  const { id, submit } = await handIn(reworded)
  expect(
    (await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Say it in your own words.' }))
      .status,
  ).toBe(200)
  await submit('The basket lost a thing on Tuesday, and I wrote down the steps that lead to it in a bug for you.')
  expect(await scan()).toEqual([])
})

test('an author who changes the text after it was copied is not reported', async () => {
  const { id, submit } = await handIn(text)
  await handIn(reworded)
  await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Please say which phone it was.' })
  await submit(`${text} It was a Pixel 8.`)
  expect(await scan()).toEqual([])
})

test('an author who uses the text again after it was copied is not reported', async () => {
  const { tester } = await handIn(text)
  const copy = await handIn(reworded)
  await handIn(`${reworded} That is all.`, tester)
  expect((await scan()).map(({ user }) => user.id)).toEqual([copy.tester.user.id])
})

test('the marks that a scan stored are replaced when a new text is submitted', async () => {
  const { id, submit } = await handIn(reworded)
  expect(await scan()).toEqual([])
  const stored = async () =>
    new Set((await t.look<{ mark: string }>('select mark::text from proof_marks')).map(({ mark }) => mark))
  expect(await stored()).toEqual(new Set(marksOf(reworded).map(String)))
  await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Say it in your own words.' })
  const own = 'The basket lost a thing on Tuesday, and I wrote down the steps that lead to it in a bug for you.'
  await submit(own)
  await scan()
  expect(await stored()).toEqual(new Set(marksOf(own).map(String)))
})

test('one tester’s own texts may be alike', async () => {
  const { tester } = await handIn(text)
  await handIn(reworded, tester)
  expect(await scan()).toEqual([])
})

test('equal texts are reported only as equal', async () => {
  await handIn(text)
  await handIn(text)
  expect((await scan()).map(({ eventData }) => eventData.reason)).toEqual(['Same proof text from several testers'])
})
