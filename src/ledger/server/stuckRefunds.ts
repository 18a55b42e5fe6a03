/** Refunds that the payment provider permanently refuses: an admin has one retried, or pays it by other means (decision 061). */
import { randomUUIDv7 } from 'node:crypto'
import { adminIds } from '../../accounts/server/accounts.ts'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import type { AuditAction } from '../../audit/actions.ts'
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { formatCents } from '../../kit/money.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { enqueue } from '../../kit/server/jobs.ts'
import { notice, notify, notifyMany } from '../../notifications/server/notifications.ts'
import { assertWholeAmount, refundRefusal } from '../rules.ts'
import { assertMayDecideStuck, nextSentence, type StuckAction, stuckActionsOn, stuckStateOf } from '../stuckRefunds.ts'
import type { StuckRefund } from '../stuckRefundsContract.ts'
import { activeAdmins } from './approvals.queries.ts'
import { askForUntried, payRefundPart } from './calls.ts'
import type { Outcome } from './queries.ts'
import * as queries from './stuckRefunds.queries.ts'

const needsTwo = ({ amountCents, limitCents }: queries.StuckRow): boolean =>
  limitCents !== null && amountCents > limitCents

const outsideOf = ({ reference, note, recorderId, recorderName, recordedAt }: queries.StuckRow) =>
  reference === null || recorderId === null || recordedAt === null
    ? null
    : { reference, note, recordedBy: { id: recorderId, name: recorderName ?? '' }, recordedAt }

const shownTo = (admin: SignedIn, row: queries.StuckRow, admins: number): StuckRefund => {
  const { id, paymentMethod, owedSince, stuckSince, attempts, lastTriedAt, reason } = row
  return {
    id,
    campaign: { id: row.campaignId, title: row.campaignTitle },
    developer: { id: row.developerId, name: row.developerName },
    paymentMethod,
    amountCents: row.twiceCents ?? row.amountCents,
    owedSince,
    stuckSince,
    state: stuckStateOf(row),
    attempts,
    lastTriedAt,
    reason: reason === null ? null : refundRefusal(reason),
    next: nextSentence(row, admin.id, admins),
    needsTwo: row.needsTwo ?? needsTwo(row),
    outside: outsideOf(row),
    actions: stuckActionsOn(row, admin.id),
  }
}

type Query = { limit: number; cursor?: string | undefined }

export const stuckRefunds = async (admin: SignedIn, { limit, cursor }: Query): Promise<Page<StuckRefund>> => {
  const [rows, admins] = await Promise.all([queries.list(autocommit, limit + 1, cursor), activeAdmins(autocommit)])
  return {
    items: rows.slice(0, limit).map(row => shownTo(admin, row, admins)),
    nextCursor: rows.length > limit ? rows[limit - 1]!.id : null,
  }
}

const auditActions = {
  retry: 'refund.retry',
  pay: 'refund.pay',
  confirm: 'refund.confirm',
  refuse: 'refund.refuse',
  settle: 'refund.settle',
} as const satisfies Record<StuckAction, AuditAction>

type Asked = {
  admin: SignedIn
  id: string
  action: StuckAction
  key: string | null
  /** The body of the request. */
  body?: object
  /** For the audit log. */
  facts?: Record<string, string>
}
type Write = (tx: Tx, row: queries.StuckRow, now: string) => Promise<unknown>

/** Locks the part of the refund and then the admins, checks the rule, and writes. */
const decide = ({ admin, id, action, key, body, facts }: Asked, write: Write): Promise<StuckRefund> =>
  transactOnce({
    userId: admin.id,
    key,
    call: `${action}-stuck-refund`,
    asked: { id, ...body },
    subjectId: id,
    effect: async tx => {
      const isActive = await queries.lockStuck(tx, id, admin.id)
      const row = await queries.stuckRefund(tx, id)
      if (!isActive) throw new DomainError('WRONG_STATE', 'Only an active admin can decide on refunds.')
      assertMayDecideStuck(action, row, admin.id)
      await write(tx, row, clock.now())
      await auditIfAdmin(tx, admin, {
        action: auditActions[action],
        subjectType: 'user',
        subjectId: row.developerId,
        facts: {
          refund: formatCents(row.twiceCents ?? row.amountCents),
          campaign: row.campaignTitle,
          ...(row.reference !== null && { reference: row.reference }),
          ...facts,
        },
      })
    },
    answer: async partId => {
      const [row, admins] = await Promise.all([queries.stuckRefund(autocommit, partId), activeAdmins(autocommit)])
      return shownTo(admin, row, admins)
    },
  })

/** The rule has just allowed it under the same lock. */
const assertDone = (outcome: Outcome): void => {
  if (outcome !== 'OK')
    throw new DomainError('WRONG_STATE', 'This refund has changed in the meantime. Look at it again.')
}

export const retryRefund = (admin: SignedIn, id: string, key: string | null): Promise<StuckRefund> =>
  decide({ admin, id, action: 'retry', key }, async (tx, _, now) => {
    await queries.askRetry(tx, id, now)
    await enqueue(tx, payRefundPart, { partId: id })
  })

export type OtherMeans = { amountCents: number; reference: string; note?: string | undefined }

/** Above the payout limit it waits for another admin, and the money stays pending until then. */
export const payOutside = (admin: SignedIn, id: string, body: OtherMeans, key: string | null): Promise<StuckRefund> => {
  const { amountCents, reference, note = '' } = body
  return decide(
    { admin, id, action: 'pay', key, body, facts: { reference, ...(note !== '' && { note }) } },
    async (tx, row, now) => {
      assertWholeAmount(amountCents, row.amountCents)
      const outsideId = randomUUIDv7()
      const recorded = { partId: id, amountCents, reference, note: note === '' ? null : note, now }
      const two = row.needsTwo ?? needsTwo(row)
      assertDone(await queries.record(tx, outsideId, { ...recorded, needsTwo: two, adminId: admin.id }))
      if (two) await askAnother(tx, admin, row)
      else await bookPaid(tx, { ...row, outsideId, reference }, admin, now)
    },
  )
}

const askAnother = async (tx: Tx, admin: SignedIn, row: queries.StuckRow): Promise<void> => {
  const { recorderName, amountCents, developerName: developer, id: partId } = await queries.stuckRefund(tx, row.id)
  const facts = { partId, amountCents, developer, recordedBy: recorderName ?? '' }
  const others = (await adminIds(tx)).filter(each => each !== admin.id)
  await notifyMany(
    tx,
    others.map(each => notice(each, 'REFUND_TO_CONFIRM', facts)),
  )
}

type Recorded = Pick<
  queries.StuckRow,
  'outsideId' | 'reference' | 'refundId' | 'amountCents' | 'developerId' | 'campaignTitle'
>

const bookPaid = async (tx: Tx, row: Recorded, admin: SignedIn, now: string): Promise<void> => {
  const { refundId, amountCents, developerId, campaignTitle: title } = row
  const paid = { outcome: 'PAID', adminId: admin.id, reason: null, now } as const
  assertDone(await queries.settle(tx, row.outsideId!, paid))
  await notify(tx, developerId, 'REFUND_PAID_OUTSIDE', { refundId, title, amountCents, reference: row.reference! })
}

export const confirmOutside = (admin: SignedIn, id: string, key: string | null): Promise<StuckRefund> =>
  decide({ admin, id, action: 'confirm', key }, (tx, row, now) => bookPaid(tx, row, admin, now))

/** Any admin may refuse, including the one who recorded the payment. */
export const refuseOutside = (admin: SignedIn, id: string, reason: string, key: string | null): Promise<StuckRefund> =>
  decide({ admin, id, action: 'refuse', key, body: { reason }, facts: { reason } }, async (tx, row, now) => {
    assertDone(await queries.settle(tx, row.outsideId!, { outcome: 'REFUSED', adminId: admin.id, reason, now }))
  })

export const settleTwice = (admin: SignedIn, id: string, note: string, key: string | null): Promise<StuckRefund> =>
  decide({ admin, id, action: 'settle', key, body: { note }, facts: { note } }, async (tx, row, now) => {
    assertDone(await queries.settleTwice(tx, row.twiceId!, { adminId: admin.id, note, now }))
  })

export type LateRefund = { partId: string; key: string; reference: string }

/**
 * Handles a provider's event that it has paid a refund. If that attempt counted as refused, the payment settles what is owed; if
 * the refund was paid otherwise by then, admins are told that the developer has it twice. Throws while a later attempt is on its
 * way, so that the event is retried.
 */
export const refundPaid = async (tx: Tx, late: LateRefund): Promise<void> => {
  const booked = await queries.bookLate(tx, randomUUIDv7(), { ...late, now: clock.now() })
  if (booked === 'LATER') throw new Error(`a later attempt of the refund ${late.partId} is on its way`)
  await askForUntried(tx, late.partId)
  if (booked !== 'PAID_TWICE') return
  const {
    id: partId,
    twiceCents,
    developerName: developer,
    campaignTitle: title,
  } = await queries.stuckRefund(tx, late.partId)
  const facts = { partId, amountCents: twiceCents ?? 0, developer, title }
  const admins = await adminIds(tx)
  await notifyMany(
    tx,
    admins.map(each => notice(each, 'REFUND_PAID_TWICE', facts)),
  )
}
