/** What happens to a proof after it was submitted. */
import * as appeals from '../../../participations/server/appeals.ts'
import * as review from '../../../participations/server/review.ts'
import { adminOf, called, callerOf, has, once, onTest, reason, testOf, wrongUnless } from './making.ts'

export const verify = onTest(has('SUBMITTED'), (test, scene, draw, key) => {
  const by = draw(5) === 0 ? adminOf(scene) : test.campaign.developer
  return {
    label: `${called(by)} verifies ${testOf(test)}`,
    run: () => review.verify(callerOf(by), test.id, {}, key),
    ...once(scene, key, by, () => wrongUnless(test.status === 'SUBMITTED', () => scene.books.verified(test))),
  }
})

export const requestChanges = onTest(
  (test, books) => books.whyNotRequestChanges(test) === null,
  (test, { books }) => ({
    label: `${called(test.campaign.developer)} requests changes to ${testOf(test)}`,
    run: () => review.requestChanges(callerOf(test.campaign.developer), test.id, { note: 'More of it.' }),
    decide: () => {
      const refusal = books.whyNotRequestChanges(test)
      if (refusal === null)
        Object.assign(test, { status: 'CHANGES_REQUESTED', seenAt: books.now, changes: test.changes + 1 })
      return refusal
    },
  }),
)

export const rejectProof = onTest(has('SUBMITTED'), (test, scene, draw, key) => {
  const { books } = scene
  const by = draw(5) === 0 ? adminOf(scene) : test.campaign.developer
  return {
    label: `${called(by)} rejects ${testOf(test)}`,
    run: () => review.reject(callerOf(by), test.id, { code: 'OTHER', reason }, key),
    ...once(scene, key, by, () => {
      const refusal = books.whyNotReject(test, by)
      if (refusal === null) Object.assign(test, { status: 'REJECTED', sinceAt: books.now })
      return refusal
    }),
  }
})

export const appeal = onTest(
  (test, books) => books.whyNotAppeal(test) === null,
  (test, { books }) => ({
    label: `${called(test.tester)} appeals for ${testOf(test)}`,
    run: () => appeals.appeal(callerOf(test.tester), test.id, { reason, attachmentIds: [] }),
    decide: () => {
      const refusal = books.whyNotAppeal(test)
      if (refusal === null) Object.assign(test, { status: 'APPEALED', sinceAt: books.now, appealed: true })
      return refusal
    },
  }),
)

export const decideAppeal = onTest(has('APPEALED'), (test, scene, draw, key) => {
  const decision = draw(2) === 0 ? ('VERIFY' as const) : ('UPHOLD' as const)
  return {
    label: `the admin decides on ${testOf(test)}: ${decision}`,
    about: { verifies: decision === 'VERIFY' },
    run: () => appeals.decide(callerOf(adminOf(scene)), test.id, { decision, note: reason }, key),
    ...once(scene, key, adminOf(scene), () =>
      wrongUnless(test.status === 'APPEALED', () => {
        if (decision === 'VERIFY') scene.books.verified(test)
        else scene.books.closedUnpaid([test], 'REJECTED')
      }),
    ),
  }
})
