/**
 * Daily and weekly digests: what waits for one is due at 8 in the morning of its reader's time zone (decision 042). The
 * batch that takes it out of the queue also writes the digest and enqueues its email, in one transaction: a server that dies
 * loses nothing and repeats nothing, and of one period there is never a second.
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock, daysAfter } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { type Due, type Hold, inBatches } from '../../kit/server/batches.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { enqueueMany, type Job, scheduled } from '../../kit/server/jobs.ts'
import { aboutSeveral, screenOf } from '../about.ts'
import { type DigestPeriod, titleOfScope } from '../topics.ts'
import * as queries from './digests.queries.ts'
import { inZone, format } from './emailParts.ts'
import { deliver, emailJob, publicAddress } from './mail.ts'
import { lineOf } from './topics.ts'
import { unsubscribeToken } from './unsubscribeTokens.ts'

/** What a notification asks for; a slice above knows whether it is done by now. */
/** `testId` and `bugId`: of what it is about, where it is one. */
export type Asked = { id: string; kind: string; testId: string | null; bugId: string | null; createdAt: string }
/** The ids of those that are done. */
type Settled = (tx: Tx, asked: readonly Asked[], now: string) => Promise<ReadonlySet<string>>
let settledOf: readonly Settled[] = []
/** Each slice knows of its own. */
export const useSettled = (...given: readonly Settled[]): void => {
  settledOf = given
}

export const sendDigest: Job<{ digestId: string }> = {
  name: 'notifications.send-digest',
  ...emailJob,
  atOnce: 2,
  run: async ({ digestId }) => {
    const digest = await queries.digestToSend(autocommit, digestId)
    if (!digest) return
    const sections = sectionsOf(await queries.linesOf(autocommit, digest.notificationIds, mostLines), digest.timeZone)
    // All of it was read meanwhile, or asks a suspended reader for work.
    if (sections.length === 0) return
    const { period, userId, name, email } = digest
    const screen = { label: 'Open your notifications', path: paths.notifications }
    await deliver({
      mailId: digestId,
      to: { name, address: email },
      ...words[period],
      screen,
      sections,
      turnOff: await unsubscribeToken(autocommit, userId, period),
    })
  },
}

const because = (period: string) =>
  `You get this email because you chose a ${period} digest in your notification settings.`

const words: Record<DigestPeriod, { subject: string; text: string; because: string }> = {
  DAILY: {
    subject: titleOfScope('DAILY'),
    text: 'This is new since yesterday, and still unread.',
    because: because('daily'),
  },
  WEEKLY: {
    subject: titleOfScope('WEEKLY'),
    text: 'This is new this week, and still unread.',
    because: because('weekly'),
  },
}

/** Whoever has more finds the rest in the product. */
const mostLines = 200

/** Of one matter, the newest first. */
const screenOfAll = (same: readonly [queries.Line, ...queries.Line[]]) => {
  const [{ about, campaignId, ownTestId }] = same
  if (about === null) return paths.notifications
  if (same.length === 1 || campaignId === null) return screenOf(about)
  const things = new Set(same.map(one => one.about?.id)).size
  return screenOf(aboutSeveral({ newest: about, campaignId, ownTestId, things }))
}

/** By campaign, once per matter, the newest first. */
const sectionsOf = (lines: readonly queries.Line[], timeZone: string) => {
  const byCampaign = Map.groupBy(lines, ({ campaignId }) => campaignId)
  return [...byCampaign.values()].map(ofCampaign => {
    // Whatever has no plural stands alone.
    const byMatter = Map.groupBy(ofCampaign, line =>
      lineOf(line.kind, 2) === null || !line.campaignId ? line : line.kind,
    )
    const items = [...byMatter.values()].map(same => {
      const [{ kind, subject, createdAt }] = same as [queries.Line]
      return {
        subject: lineOf(kind, same.length) ?? subject,
        address: publicAddress(screenOfAll(same as [queries.Line])),
        when: inZone(format(createdAt), timeZone),
      }
    })
    return { title: ofCampaign[0]?.campaign ?? 'Your account', items }
  })
}

/** Longer than any period, so that none is made twice. */
const keptDays = 60

export const makeDigests = scheduled(
  'notifications.digests',
  '*/5 * * * *',
  async () => {
    const now = clock.now()
    await inBatches({ load: page => queries.dueReaders(autocommit, now, page), run: makeBatch })
    await queries.forgetOldDigests(autocommit, daysAfter(now, -keptDays))
  },
  { neverPaused: 'BY_ADMIN' },
)

const makeBatch = async (tx: Tx, due: readonly Due[], hold: Hold): Promise<string[]> => {
  const now = clock.now()
  const readers = await queries.lockReaders(
    tx,
    due.map(({ id }) => id),
    hold,
  )
  const ids = readers.map(({ id }) => id)
  const unread = (await queries.takeWaiting(tx, ids, now)).filter(one => one.unread)
  const asked = unread.flatMap(({ kind, ...one }) =>
    kind === null || (one.testId === null && one.bugId === null) ? [] : [{ ...one, kind }],
  )
  const settled = new Set<string>()
  if (asked.length > 0)
    for (const settledBy of settledOf) for (const id of await settledBy(tx, asked, now)) settled.add(id)
  const open = unread.filter(({ id }) => !settled.has(id))
  const digests = [...Map.groupBy(open, ({ userId, period }) => `${userId} ${period}`).values()].map(digestOf)
  if (digests.length === 0) return ids
  const made = new Set(await queries.insertDigests(tx, digests, now))
  await enqueueMany(
    tx,
    sendDigest,
    [...made].map(digestId => ({ digestId })),
  )
  const late = digests.filter(({ id }) => !made.has(id)).flatMap(({ notificationIds }) => notificationIds)
  if (late.length > 0) await queries.postpone(tx, late, now)
  return ids
}

const digestOf = (all: readonly queries.Waiting[]): queries.NewDigest => {
  const [{ userId, period }] = all as [queries.Waiting]
  return { id: randomUUIDv7(), userId, period, notificationIds: all.map(({ id }) => id) }
}
