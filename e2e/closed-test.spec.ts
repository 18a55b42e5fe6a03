/**
 * A closed test from creation to report, on a phone: 15 seats, one drop-out on day 8, the bench, twelve proofs by keyboard.
 * The first of each step is done by hand; the same steps of fourteen other testers are API calls.
 *
 * The calendar, worked out by hand. The clock is set to the 1st of a month at 10:00 UTC, so that days are numbered like dates:
 *   1st   Testers 1 to 11 opt in. 11 < 12: no date.
 *   2nd   Tester 12 opts in: the 12th-oldest run starts on the 2nd, so the date is 2 + 14 = the 16th.
 *   3rd   Testers 13, 14 and 15 opt in. The 12th-oldest still starts on the 2nd: the 16th, buffer 15 − 12 = 3.
 *   5th   Tester 3 checks in for the last time.
 *   7th   48 h of silence: at risk. Without Tester 3 the oldest twelve are 1, 2, 4 to 13; the last of them, Tester 13,
 *         started on the 3rd: 3 + 14 = the 17th instead of the 16th.
 *   8th   72 h of silence: dropped, after the 7 full days from the 1st to the 8th. The date is the 17th, buffer 14 − 12 = 2.
 *         A tester on the bench takes the seat; Tester 16 starts at day 1. Hers is the 15th-oldest run: the date stays, buffer 3.
 *   15th  1 + 14: Testers 1, 2, 4 to 11 (10 of them) submit. 16th: Tester 12. 17th: Tester 13, the twelfth proof.
 *   17th  The date. Tester 13's run reaches 14 × 24 h: the developer reviews the twelve, and applies.
 *   18th  Testers 14 and 15, whose proofs were possible on the 17th. 22nd: Tester 16, 8 + 14.
 */
import type { Continuity } from '../src/continuity/contract.ts'
import type { CampaignTester } from '../src/participations/contract.ts'
import { call, newPerson, passHours, theAdmin } from './support/api.ts'
import {
  title,
  features,
  toTheFirst,
  create,
  enter,
  addressOf,
  act,
  joinByCall,
  openList,
  confirmList,
  getIn,
  submitByHand,
  reviewByKeyboard,
  download,
  type Test,
} from './support/closedTest.ts'
import { confirm } from './support/people.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

test('fifteen seats from creation to report: a drop-out on day 8, the bench, and twelve proofs by keyboard', async ({
  open,
}) => {
  // On a busy machine a whole month takes long.
  test.setTimeout(180_000)
  const month = await toTheFirst()
  const owner = await newPerson('DEVELOPER', 'Clara Closed')
  const developer = await open({ as: owner, screen: 'phone', provokes: outlivedTokens })
  const campaign = await create(developer)
  await call(await theAdmin(), 'POST', `/admin/campaigns/${campaign}/approve`)
  await developer.reload()
  await confirm(developer, 'Start campaign')
  await expect(developer.getByText('Nobody is testing at the moment')).toBeVisible()

  const first = await newPerson('TESTER', 'Fern First')
  const tester = await open({ as: first, screen: 'phone', provokes: outlivedTokens })
  const tests: Test[] = [{ person: first, id: await enter(tester, campaign, 'Join Campaign', addressOf(1)) }]
  for (let number = 2; number <= 15; number++) tests.push(await joinByCall(campaign, number))
  const spare = await newPerson('TESTER', 'Bea Bench')
  const bench = await open({ as: spare, screen: 'phone', provokes: outlivedTokens })
  const benchTest = await enter(bench, campaign, 'Wait for a seat', 'bea.bench@gmail.com')
  await expect(bench.getByText('You are next')).toBeVisible()

  const of = (...numbers: number[]) => numbers.map(number => tests[number - 1]!)
  const each = (some: Test[], what: string, body?: unknown) => Promise.all(some.map(one => act(one, what, body)))
  const checkIn = (...numbers: number[]) =>
    each(of(...numbers), 'check-ins', { minutes: 10, features: [features[1]], note: 'All fine.' })
  /** One after the other, because the desk shows the nearest deadline first. */
  const submit = async (...some: Test[]) => {
    for (const one of some)
      await act(one, 'proof', { proof: { text: `Proof of ${tests.indexOf(one) + 1}: a plant a day.`, links: [] } })
  }
  const roster = () => call<CampaignTester[]>(owner, 'GET', `/campaigns/${campaign}/testers`)
  const clock = () => call<Continuity>(owner, 'GET', `/campaigns/${campaign}/continuity`)
  const hero = developer.getByRole('region', { name: /./ }).filter({ hasText: 'Earliest date to apply' })
  const expectClock = async (date: string | null, unbroken: number) => {
    const { earliestDate, unbrokenTesters, buffer } = await clock()
    expect([earliestDate?.slice(8) ?? null, unbrokenTesters, buffer]).toEqual([date, unbroken, unbroken - 12])
  }

  // The 1st: the export has all fifteen, but nobody on the bench.
  await openList(developer, campaign)
  const list = (await download(developer, 'Download the whole list')).toString('utf8').split('\n')
  expect(list.toSorted()).toEqual(Array.from({ length: 15 }, (_, at) => addressOf(at + 1)).toSorted())
  await confirmList(developer)
  await getIn(tester, tests[0]!.id)
  const twoToEleven = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
  await each(of(...twoToEleven), 'open-link')
  await each(of(...twoToEleven), 'opt-in')
  await checkIn(...twoToEleven)
  await expectClock(null, 11)

  // The 2nd and the 3rd.
  await passHours(24)
  await act(tests[11]!, 'opt-in')
  await checkIn(1, ...twoToEleven, 12)
  await expectClock('16', 12)
  await passHours(24)
  await each(of(13, 14, 15), 'opt-in')
  await checkIn(1, ...twoToEleven, 12, 13, 14, 15)
  await expectClock('16', 15)
  await developer.goto(`/dashboard/campaigns/${campaign}`)
  await expect(hero).toContainText(`${month} 16`)

  // The 4th to the 7th: Tester 3 is silent after the 5th.
  const others = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
  for (const day of [4, 5, 6, 7]) {
    await passHours(24)
    await checkIn(...others, ...(day <= 5 ? [3] : []))
  }
  await developer.reload()
  await expect(hero.getByRole('heading', { name: 'Tester 3 may drop out: ask them to continue' })).toBeVisible()
  await expect(hero).toContainText(`If Tester 3 stops today, the date moves from ${month} 16 to ${month} 17.`)
  await expectClock('16', 15)

  // The 8th: the seat is held for the tester on the bench, who takes it and opts in.
  await passHours(24)
  await expectClock('17', 14)
  await developer.reload()
  await expect(hero).toContainText(`${month} 17`)
  await bench.reload()
  await bench.getByRole('button', { name: 'Accept and earn $10.00' }).tap()
  await expect(bench.getByText('Waiting for the developer to add you to the tester list')).toBeVisible()
  const sixteenth = await call<{ id: string }[]>(spare, 'GET', '/testers/my-campaigns')
  expect(sixteenth.map(({ id }) => id)).toEqual([benchTest])
  tests.push({ person: spare, id: benchTest })
  await openList(developer, campaign)
  await developer.getByRole('button', { name: 'Show and copy' }).tap()
  await expect(developer.getByText('bea.bench@gmail.com')).toBeVisible()
  await expect(developer.getByText(addressOf(3))).toBeVisible()
  await confirmList(developer)
  await act(tests[15]!, 'opt-in')
  await checkIn(...others, 16)
  await expectClock('17', 15)

  // The 9th to the 15th: Tester 1 submits the proof by hand, nine others over the API.
  for (let day = 9; day <= 14; day++) {
    await passHours(24)
    await checkIn(...others, 16)
  }
  await passHours(24)
  await checkIn(12, 13, 14, 15, 16)
  await submitByHand(tester, tests[0]!.id)
  await submit(...of(2, ...twoToEleven.slice(2)))
  // The 16th and the 17th.
  await passHours(24)
  await checkIn(13, 14, 15, 16)
  await submit(...of(12))
  await passHours(24)
  await checkIn(14, 15, 16)
  await submit(...of(13))
  await expectClock('17', 15)
  await developer.goto(`/dashboard/campaigns/${campaign}`)
  await expect(hero.getByRole('heading', { name: 'You can apply for production access now' })).toBeVisible()
  await hero.getByRole('button', { name: 'I have applied' }).tap()
  await developer.getByRole('dialog').getByRole('button', { name: 'I have applied' }).tap()
  await expect(hero.getByRole('heading', { name: 'You have applied' })).toBeVisible()
  await reviewByKeyboard(developer, [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  await expect
    .poll(async () => (await roster()).filter(({ status }) => status === 'VERIFIED').map(({ alias }) => alias))
    .toHaveLength(12)
  // Verified and still opted in: neither the proof nor its verification ends a run.
  await expectClock('17', 15)

  // The 18th, and the 22nd: the last of fifteen seats is verified, and the campaign is completed.
  await passHours(24)
  await submit(...of(14, 15))
  await call(owner, 'POST', '/campaign-testers/verify-all', { ids: of(14, 15).map(({ id }) => id) })
  for (const day of [18, 19, 20, 21, 22]) {
    if (day > 18) await passHours(24)
    if (day < 22) await checkIn(16)
  }
  await submit(...of(16))
  await call(owner, 'POST', `/campaign-testers/${benchTest}/verify`)
  // A job completes the campaign.
  await passHours(1)
  expect((await roster()).map(({ status }) => status).filter(status => status !== 'VERIFIED')).toEqual(['DROPPED'])
  const { status } = await call<{ status: string }>(owner, 'GET', `/campaigns/${campaign}`)
  expect(status).toBe('COMPLETED')

  await developer.goto(`/dashboard/campaigns/${campaign}`)
  await hero.getByRole('link', { name: 'Report' }).tap()
  await expect(developer.getByRole('heading', { level: 1, name: `Report: ${title}` })).toBeVisible()
  await expect(developer.getByRole('region', { name: 'Drop-outs and replacements' })).toContainText(
    new RegExp(
      `^.*Tester 3 was dropped \\(no check-in for 72 hours\\) on ${month} 8, \\d{4}, after 7 days\\. Tester 16 took the seat on ${month} 8,`,
    ),
  )
  const pdf = await download(developer, 'PDF')
  expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-')
  const csv = (await download(developer, 'CSV')).toString('utf8')
  expect(csv).toMatch(/Clock,,\d{4}-\d{2}-17,Earliest date to apply,/)
  expect(csv).toMatch(/Drop-outs,Tester 16,[^,]*,Took the seat of,Tester 3/)
  expect(csv).toMatch(/Notes,Tester 1,[^,]*,Check-in note,It knew the fern at once\./)
  expect(csv).toMatch(/Features,Tester 1,,Tried,Name a plant/)
  expect(csv).not.toContain('@')
})
