/** Actions on campaigns from draft to end, except payments. */
import * as campaigns from '../../../campaigns/server/campaigns.ts'
import { feeOf } from '../books.ts'
import {
  adminOf,
  called,
  callerOf,
  hasEnded,
  is,
  type Make,
  named,
  onCampaign,
  once,
  pick,
  present,
  reason,
  wrongUnless,
} from './making.ts'

const pays = [101, 1333, 999, 1500, 5000, 2000]

export const create: Make = (scene, draw, key) => {
  const { books, look } = scene
  const developer = pick(draw, present(books, 'DEVELOPER'), ({ suspended }) => !suspended)
  if (!developer) return undefined
  const testers = 1 + draw(4)
  const pay = pays[draw(pays.length)]!
  const days = 1 + draw(3)
  const daily = draw(2) === 0
  const title = `Campaign ${key}`
  const draft = {
    title,
    description: 'As the model has it.',
    platform: 'android' as const,
    distributionLink: 'https://play.google.com/apps/testing/com.example.model',
    testersRequired: testers,
    payPerTesterCents: pay,
    durationDays: days,
    filters: { countries: [], minAndroidVersion: null, minIOSVersion: null },
    dailyCheckIn: daily,
    accessMode: 'OPEN_LINK' as const,
    groupLink: null,
    features: [],
  }
  return {
    label: `${called(developer)} drafts ${testers} × ${pay} for ${days} days`,
    run: () => campaigns.create(callerOf(developer), draft, key),
    ...once(scene, key, developer, async () => {
      if (developer.deleted) return 'ANY'
      if (developer.suspended) return 'SUSPENDED'
      const [row] = await look<{ id: string }>('select id from campaigns where title = $1 and id <> all ($2)', [
        title,
        books.campaigns.map(({ id }) => id),
      ])
      if (!row) throw new Error('the campaign was not created')
      books.campaigns.push({
        n: books.campaigns.length,
        id: row.id,
        developer,
        status: 'DRAFT',
        testers,
        pay,
        days,
        daily,
        feeRate: books.feeRate,
        fee: feeOf(testers * pay, books.feeRate),
        escrow: 0,
        held: 0,
        verified: 0,
        closed: 0,
        payments: [],
        tests: [],
        dueAt: null,
        asked: false,
        decisions: [],
        afterDispute: false,
      })
      return null
    }),
  }
}

export const update = onCampaign(is('DRAFT', 'REJECTED'), (c, { books }, draw, key) => {
  const testers = 1 + draw(4)
  const pay = pays[draw(pays.length)]!
  return {
    label: `${called(c.developer)} changes ${named(c)} to ${testers} × ${pay}`,
    run: () =>
      campaigns.update(callerOf(c.developer), c.id, {
        testersRequired: testers,
        payPerTesterCents: pay,
        title: `Edit ${key}`,
      }),
    decide: () => {
      if (is('LIVE', 'PAUSED')(c)) return 'ANY'
      return wrongUnless(is('DRAFT', 'REJECTED')(c), () => books.changed(c, testers, pay))
    },
  }
})

/** Only the texts of a running campaign can change. */
export const rename = onCampaign(
  is('LIVE', 'PAUSED'),
  (c, { books }, _, key) => ({
    label: `${called(c.developer)} renames ${named(c)}`,
    run: () => campaigns.update(callerOf(c.developer), c.id, { title: `Rename ${key}` }),
    decide: () => {
      // For a draft or a rejected campaign, this is an edit of the terms.
      if (is('DRAFT', 'REJECTED')(c)) books.changed(c, c.testers, c.pay)
      else return wrongUnless(is('LIVE', 'PAUSED')(c), () => books.textsChanged(c))
      return null
    },
  }),
  (c, books) => books.isBeingRenewed(c),
)

export const submitCampaign = onCampaign(
  (c, books) => c.status === 'DRAFT' && books.outstanding(c) <= 0,
  (c, { books }) => ({
    label: `${called(c.developer)} submits ${named(c)}`,
    run: () => campaigns.submit(callerOf(c.developer), c.id),
    decide: () => wrongUnless(c.status === 'DRAFT' && books.outstanding(c) <= 0, () => (c.status = 'PENDING_APPROVAL')),
  }),
)

export const approve = onCampaign(is('PENDING_APPROVAL'), (c, scene) => ({
  label: `the admin approves ${named(c)}`,
  run: () => campaigns.approve(callerOf(adminOf(scene)), c.id),
  decide: () => wrongUnless(c.status === 'PENDING_APPROVAL', () => (c.status = 'APPROVED')),
}))

export const rejectCampaign = onCampaign(is('PENDING_APPROVAL'), (c, scene) => ({
  label: `the admin rejects ${named(c)}`,
  run: () => campaigns.reject(callerOf(adminOf(scene)), c.id, reason),
  decide: () => wrongUnless(c.status === 'PENDING_APPROVAL', () => scene.books.rejected(c)),
}))

export const start = onCampaign(is('APPROVED', 'PAUSED'), (c, { books }) => ({
  label: `${called(c.developer)} starts ${named(c)}`,
  run: () => campaigns.start(callerOf(c.developer), c.id),
  decide: () =>
    c.developer.deleted
      ? 'ANY'
      : c.developer.suspended
        ? 'SUSPENDED'
        : wrongUnless(
            c.status === 'PAUSED' || (c.status === 'APPROVED' && !books.takesNobody(c)),
            () => (c.status = 'LIVE'),
          ),
}))

export const pause = onCampaign(is('LIVE'), c => ({
  label: `${called(c.developer)} pauses ${named(c)}`,
  run: () => campaigns.pause(callerOf(c.developer), c.id),
  decide: () => wrongUnless(c.status === 'LIVE', () => (c.status = 'PAUSED')),
}))

export const cancel = onCampaign(
  c => !hasEnded(c),
  (c, scene, draw, key) => {
    const by = draw(4) === 0 ? adminOf(scene) : c.developer
    return {
      label: `${called(by)} cancels ${named(c)}`,
      run: () => campaigns.cancel(callerOf(by), c.id, key),
      ...once(scene, key, by, () => wrongUnless(!hasEnded(c), () => scene.books.cancelled(c))),
    }
  },
)

export const closeSeat = onCampaign(
  (c, books) => is('LIVE', 'PAUSED')(c) && books.freeSeats(c) > 0,
  (c, scene, _, key) => ({
    label: `${called(c.developer)} closes a seat of ${named(c)}`,
    run: () => campaigns.closeSeat(callerOf(c.developer), c.id, key),
    ...once(scene, key, c.developer, () =>
      wrongUnless(is('LIVE', 'PAUSED')(c) && scene.books.freeSeats(c) > 0, () => scene.books.seatClosed(c)),
    ),
  }),
  // Preferred during a renewal, because the older payments may then be unable to give back enough.
  (c, books) => books.isBeingRenewed(c),
)
