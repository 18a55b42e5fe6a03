/** What the parts of the demo share: people, time, random numbers, and expected refusals. */
import { randomUUID } from 'node:crypto'
import { Registration, type Session } from '../../src/accounts/contract.ts'
import { createAdmin, login, register } from '../../src/accounts/server/accounts.ts'
import { updateMe } from '../../src/accounts/server/profile.ts'
import { confirmEmail } from '../../src/accounts/server/queries.ts'
import { refresh } from '../../src/accounts/server/refresh.ts'
import { clock } from '../../src/kit/clock.ts'
import type { SignedIn } from '../../src/kit/endpoint.ts'
import { autocommit } from '../../src/kit/server/db.ts'
import { DomainError, type ErrorCode } from '../../src/kit/errors.ts'
import { admin, developers, type Profile, type TesterProfile, testers } from './people.ts'
import {
  type Chance,
  chanceOf,
  dayMs,
  hourMs,
  localMinute,
  minuteMs,
  nextLocalTime,
  type Timeline,
  timelineOf,
} from './timeline.ts'

type Visitor = {
  user: SignedIn
  /** The caller for a use case; also marks the session as used now. */
  acts: () => SignedIn
  /** Renews the session at the time of the last action, as the page does while it is in use. */
  wasHere: (password: string) => Promise<void>
}
export type Member<P extends Profile = Profile> = P & Visitor & { minuteOfDay: number }
/** `place` 0 is the tester whose login is printed first. */
export type Tester = Member<TesterProfile> & { place: number }

export type Demo = {
  time: Timeline
  chance: Chance
  admin: Visitor
  developers: Member[]
  testers: Tester[]
  hasRejected: boolean
  /** The password of everybody. */
  password: string
}

export const daysOfHistory = 90
const seed = 20_261_121

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const callerOf = (place: number) => ({
  // 198.51.100.0/24 and 203.0.113.0/24 are set aside for documentation (RFC 5737).
  ip: `${place < 200 ? '198.51.100' : '203.0.113'}.${(place % 250) + 1}`,
  userAgent: browser,
  requestId: randomUUID(),
  wantsEvents: false,
  lastEventId: null,
})

const visitorOf = ({ user: { id, role, email }, refreshToken }: Session, place: number): Visitor => {
  const user: SignedIn = { id, role, sessionId: randomUUID() }
  let lastActMs = clock.nowMs()
  return {
    user,
    acts: () => {
      lastActMs = clock.nowMs()
      return user
    },
    wasHere: async password => {
      clock.setOffsetMs(lastActMs - Date.now())
      // If the person was away until the session ended, they sign in again.
      if (await unlessRefused(['UNAUTHENTICATED'], () => refresh({ refreshToken }))) return
      await login({ email, password }, callerOf(place), { limited: false })
    },
  }
}

const join = async (profile: Profile, role: 'DEVELOPER' | 'TESTER', password: string, place: number) => {
  const session = await register(Registration.parse({ ...profile, role, password }), callerOf(place))
  // As if they had opened the link in the email at once.
  await confirmEmail(autocommit, session.user.id, clock.now())
  return visitorOf(session, place)
}

const joinAdmin = async (password: string): Promise<Visitor> => {
  await createAdmin({ ...admin, password })
  return visitorOf(await login({ email: admin.email, password }, callerOf(0), { limited: false }), 0)
}

/** Admin and developers register on the first day, testers over the first seven weeks, most of them early. */
export const newDemo = async (password: string): Promise<Demo> => {
  const time = timelineOf(daysOfHistory)
  const chance = chanceOf(seed)
  const demo: Demo = {
    time,
    chance,
    admin: await joinAdmin(password),
    developers: [],
    testers: [],
    hasRejected: false,
    password,
  }
  for (const [place, profile] of developers.entries()) {
    const visitor = await join(profile, 'DEVELOPER', password, place + 1)
    demo.developers.push({ ...profile, ...visitor, minuteOfDay: chance.between(9 * 60, 17 * 60) })
  }
  for (const [place, profile] of testers.entries()) {
    const day = place < 24 ? 0 : Math.trunc(((place - 24) / 36) ** 1.5 * 48)
    const arrivesAt = nextLocalTime(time.startMs + day * dayMs, profile.timeZone, chance.between(8 * 60, 21 * 60))
    // The first campaign opens on the second day, by which time the first testers have to be registered.
    time.at(day === 0 ? Math.min(arrivesAt, time.startMs + 20 * hourMs) : arrivesAt, async () => {
      const visitor = await join(profile, 'TESTER', password, place + 10)
      const minuteOfDay = chance.between(7 * 60 + 30, 21 * 60)
      demo.testers.push({ ...profile, ...visitor, place, minuteOfDay })
      if (payoutDeclined.has(profile.name)) await payTo(demo, visitor.acts(), `decline+${profile.email}`)
    })
  }
  return demo
}

/** Their first payment method refuses payouts: a withdrawal fails, and then they set a different one. */
export const payoutDeclined = new Set(['Omar Haddad', 'Thabo Nkosi'])

export const payTo = ({ password: currentPassword }: Demo, user: SignedIn, paymentMethod: string | null) =>
  updateMe(user, { paymentMethod, currentPassword })

/** At the end, sets every session to last used at its owner's last action. */
export const touchSessions = async ({ admin: office, developers: makers, testers: people }: Demo, password: string) => {
  for (const visitor of [office, ...makers, ...people]) await visitor.wasHere(password)
  clock.setOffsetMs(0)
}

const [wakes, sleeps] = [8 * 60, 21 * 60 + 30]

/** Moves a time into the person's waking hours: later that day, or the next morning. */
export const inWakingHours = (
  { time, chance }: Demo,
  { timeZone }: Pick<Member, 'timeZone'>,
  afterMs: number,
): number => {
  const earliest = time.nowMs() + afterMs + chance.between(0, minuteMs)
  const minute = localMinute(earliest, timeZone)
  const awake = minute >= wakes && minute < sleeps
  return nextLocalTime(earliest, timeZone, awake ? chance.between(minute, sleeps) : chance.between(wakes, 12 * 60))
}

export const minutes = (count: number): number => count * minuteMs

/** Returns null if the product refuses with one of these codes, as it may when others were faster. */
export const unlessRefused = async <T>(codes: readonly ErrorCode[], act: () => Promise<T>): Promise<T | null> => {
  try {
    return await act()
  } catch (error) {
    if (error instanceof DomainError && codes.includes(error.code)) return null
    throw error
  }
}
