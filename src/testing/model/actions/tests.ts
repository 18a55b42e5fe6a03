/** A tester's test, from the seat to the proof. */
import { join } from '../../../participations/server/joining.ts'
import * as own from '../../../participations/server/ownTest.ts'
import { dayOf, type Person, type Test } from '../books.ts'
import { called, callerOf, has, named, onCampaign, onTest, pick, present, testOf, wrongUnless } from './making.ts'

export const joinCampaign = onCampaign(
  (c, books) => c.status === 'LIVE' && books.freeSeats(c) > 0,
  (c, { books, look }, draw) => {
    // Any tester, if nobody can join; otherwise one who can.
    const mayJoin = (one: Person) => books.takesNobody(c) || books.whyNotJoin(c, one) === null
    const tester = pick(draw, present(books, 'TESTER'), one => !one.suspended && mayJoin(one))
    if (!tester) return undefined
    const device = { platform: 'android' as const, model: 'Pixel 8' }
    return {
      label: `${called(tester)} joins ${named(c)}`,
      run: () => join(callerOf(tester), c.id, { deviceInfo: device }),
      decides: /insert into participations/,
      looksAgain: true,
      decide: async () => {
        const refusal = books.whyNotJoin(c, tester)
        if (refusal !== null) return refusal
        const [row] = await look<{ id: string }>(
          'select id from participations where campaign_id = $1 and tester_id = $2',
          [c.id, tester.id],
        )
        if (!row) throw new Error('no seat was taken')
        const test: Test = {
          n: books.tests.length,
          id: row.id,
          campaign: c,
          tester,
          status: 'ACTIVE',
          joinedAt: books.now,
          seenAt: books.now,
          sinceAt: 0,
          checkIns: 0,
          lastDay: -1,
          changes: 0,
          appealed: false,
          open: true,
        }
        c.tests.push(test)
        books.tests.push(test)
        return null
      },
    }
  },
  // Not preferred where nobody can join.
  (c, books) => books.isRare(c) && !books.takesNobody(c),
)

export const checkIn = onTest(
  (test, books) => books.whyNotCheckIn(test) === null,
  (test, { books }) => ({
    label: `${called(test.tester)} checks in to ${testOf(test)}`,
    run: () => own.checkIn(callerOf(test.tester), test.id, {}),
    decide: () => {
      const refusal = books.whyNotCheckIn(test)
      if (refusal === null)
        Object.assign(test, { checkIns: test.checkIns + 1, lastDay: dayOf(books.now), seenAt: books.now })
      return refusal
    },
  }),
)

export const submitProof = onTest(
  (test, books) => books.whyNotSubmit(test) === null,
  (test, { books }) => ({
    label: `${called(test.tester)} submits the proof of ${testOf(test)}`,
    run: () =>
      own.submitProof(callerOf(test.tester), test.id, {
        proof: { text: `I wrote it in ${test.id}.`, links: [], attachmentIds: [] },
      }),
    decide: () => {
      const refusal = books.whyNotSubmit(test)
      if (refusal === null) Object.assign(test, { status: 'SUBMITTED', sinceAt: books.now })
      return refusal
    },
  }),
)

export const leave = onTest(has('ACTIVE', 'CHANGES_REQUESTED'), (test, { books }) => ({
  label: `${called(test.tester)} leaves ${testOf(test)}`,
  run: () => own.leave(callerOf(test.tester), test.id),
  decide: () => wrongUnless(has('ACTIVE', 'CHANGES_REQUESTED')(test), () => books.closedUnpaid([test], 'DROPPED')),
}))
