/** Money under faults: clients act while servers and PostgreSQL are killed and connections cut; then the books are checked. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Calls, callsTo } from './calls.ts'
import { play } from './clients.ts'
import { addPeople, followClock } from './people.ts'
import { openPlace, type Place } from './places.ts'
import { openMatters, violationsOf } from './proof.ts'
import type { Provider } from './provider.ts'
import { type Random, randomOf } from './random.ts'
import { sandboxIn } from './sandbox.ts'
import { stripeBehindBadLine } from './stripe.ts'

export const providers = ['sandbox', 'stripe'] as const

export type Wishes = {
  provider: (typeof providers)[number]
  seconds: number
  kills: number
  postgresKills: number
  cuts: number
  clients: number
  seed: number
}
export type Found = {
  acknowledged: number
  byKind: Record<string, number>
  /** How many calls were sent more than once before they were answered. */
  retried: number
  /** By kind, status and code. */
  refused: Record<string, number>
  faults: { kills: number; postgresKills: number; cuts: number }
  /** What was lost on the way to the provider and back. */
  lost: Record<string, number>
  /** The time from a kill until a call that was sent after it is answered successfully. */
  recoveriesMs: number[]
  seconds: number
  violations: string[]
}

type Fault = 'SERVER' | 'POSTGRES' | 'CUT' | 'TERMINATE'

const shuffled = (faults: Fault[], random: Random): Fault[] => {
  for (let last = faults.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    ;[faults[last], faults[other]] = [faults[other]!, faults[last]!]
  }
  return faults
}

/** Long, because the machine may be busy with other work. */
const recoveryWithinMs = 600_000
/** The embedded PostgreSQL is restarted at most three times a minute; after more crashes it stays down. */
const postgresEveryMs = 21_000

/** Waits until a call sent after the fault succeeds, on this server or on any. Returns nothing if the run has ended. */
const recovered = async (calls: Calls, since: number, ended: AbortSignal, server?: string): Promise<number[]> => {
  while (!ended.aborted) {
    const well = [...calls.sentAt].filter(([address, sent]) => sent > since && (server ?? address) === address)
    if (well.length > 0) return [Math.min(...well.map(([address]) => calls.answeredAt.get(address)!)) - since]
    if (performance.now() - since > recoveryWithinMs) throw new Error('No client gets answers anymore.')
    await pause(5)
  }
  return []
}

const breakThings = async (
  { seconds, kills, postgresKills, cuts }: Wishes,
  place: Place,
  calls: Calls,
  random: Random,
  ended: AbortSignal,
): Promise<number[]> => {
  const until = (due: number) =>
    pause(Math.max(0, due - performance.now()), undefined, { signal: ended }).catch(() => undefined)
  const recoveries: number[] = []
  const times = (count: number, fault: (number: number) => Fault) => Array.from({ length: count }, (_, n) => fault(n))
  const all = shuffled(
    [
      ...times(kills, () => 'SERVER'),
      ...times(postgresKills, () => 'POSTGRES'),
      ...times(cuts, number => (number % 2 ? 'CUT' : 'TERMINATE')),
    ],
    random,
  )
  const begun = performance.now()
  let postgresDue = begun
  for (const [number, fault] of all.entries()) {
    const planned = begun + ((number + 0.5) / all.length) * seconds * 1000
    const due = fault === 'POSTGRES' ? Math.max(planned, postgresDue) : planned
    await until(due)
    if (ended.aborted) break
    const since = performance.now()
    const which = random.below(2)
    if (fault === 'CUT') place.cut(which)
    else if (fault === 'TERMINATE') await place.terminate()
    else if (fault === 'POSTGRES') {
      await place.killPostgres()
      postgresDue = since + postgresEveryMs
      recoveries.push(...(await recovered(calls, since, ended)))
    } else {
      // Sometimes no server is left.
      const both = random.below(4) === 0
      const [address] = await Promise.all([place.killServer(which), ...(both ? [place.killServer(1 - which)] : [])])
      recoveries.push(...(await recovered(calls, since, ended, address)))
    }
  }
  await until(begun + seconds * 1000)
  return recoveries
}

/** Many times what it takes, because the machine may be busy with other work. */
const coveredWithinMs = 240_000

/** On a busy machine, extends a short run until each kind of money movement has occurred; returns those that have not. */
const allSeen = async ({ moves, days }: Calls, ended: AbortSignal): Promise<string[]> => {
  const end = performance.now() + coveredWithinMs
  const lacking = () => ['verify', 'withdraw', 'cancel'].filter(kind => !moves.some(move => move.kind === kind))
  while (lacking().length > 0 && performance.now() < end && !ended.aborted) await pause(50)
  const unanswered = [...days.open.values()].map(({ what }) => what).join(', ') || 'nothing'
  return lacking().map(kind => `no ${kind} in ${days.now} days; not answered yet: ${unanswered}`)
}

const watchEveryMs = 500

type Breach = { check: string; examples: unknown }

/** A breach of the books ends the run, because it stops withdrawals, and clients would request them for ever. */
const watchBooks = async (place: Place, over: AbortSignal, end: () => void): Promise<string[]> => {
  while (!over.aborted) {
    const found = await place
      .onDatabase(db =>
        db.query<Breach>('select check_name as check, examples from money_breaches where accepted_at is null'),
      )
      .catch(() => undefined)
    if (found && found.rows.length > 0) {
      end()
      return found.rows.map(({ check, examples }) => `withdrawals are stopped by ${check}: ${JSON.stringify(examples)}`)
    }
    await pause(watchEveryMs, undefined, { signal: over }).catch(() => undefined)
  }
  return []
}

const followEveryMs = 50

const post = async (place: Place, hours: number): Promise<void> => {
  const [server] = place.living()
  if (server === undefined) return
  const moved = new AbortController()
  const moving = fetch(new URL('/api/v1/test-clock', server), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceHours: hours }),
    signal: AbortSignal.timeout(60_000),
  }).then(
    reply => reply.arrayBuffer(),
    () => undefined,
  )
  void moving.then(() => moved.abort())
  // The call returns only after the day's jobs have run; meanwhile the provider's clock must not be a day behind the servers'.
  do {
    await place.onDatabase(followClock).catch(() => undefined)
    await pause(followEveryMs)
  } while (!moved.signal.aborted)
  await place.onDatabase(followClock).catch(() => undefined)
}

const longestDayMs = 3_000
const lateAfterMs = 3_000

type Turning = { place: Place; calls: Calls; provider: Provider; dayMs: number }

/** Moves the clock by a day every few seconds, but only once the previous day's calls are answered: keys live for two days. */
const turnDays = async ({ place, calls, provider, dayMs }: Turning, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    await pause(dayMs, undefined, { signal: over }).catch(() => undefined)
    if ([...calls.days.open.values()].some(({ day }) => day < calls.days.now)) {
      await place.onDatabase(followClock).catch(() => undefined)
      continue
    }
    await provider.calm()
    calls.days.now += 1
    const late = setTimeout(() => (calls.days.isLate = true), lateAfterMs)
    await post(place, 25)
    clearTimeout(late)
    calls.days.isLate = false
  }
}

const settleWithinDays = 12

/** Continues until nothing is on its way. */
const settle = async (place: Place, provider: Provider): Promise<void> => {
  for (let day = 0; day < settleWithinDays; day++) {
    await post(place, day === 0 ? 1 : 25)
    await provider.tell(place.living)
    if (day > 0 && (await place.onDatabase(openMatters)) === 0) return
  }
}

/** Keys used on the last day have to give the same answer again, and change nothing. */
const answeredOtherwise = async (calls: Calls): Promise<string[]> => {
  const violations: string[] = []
  const recent = calls.moves.filter(({ kind, day }) => day >= calls.days.now && !['approve', 'start'].includes(kind))
  for (const move of recent.slice(-200)) {
    const again = await calls.repeat(move)
    if (again.status !== move.status || JSON.stringify(again.body) !== JSON.stringify(move.answer))
      violations.push(
        `another answer to ${move.kind}: ${again.status} ${JSON.stringify(again.body)}, not ${JSON.stringify(move.answer)}`,
      )
  }
  return violations
}

export const run = async (
  wishes: Wishes,
  say: (line: string) => void = () => undefined,
  /** Interrupts the run, which then cleans up. */
  stop?: AbortSignal,
): Promise<Found> => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldtest-faults-'))
  const random = randomOf(wishes.seed)
  let place: Place | undefined
  let provider: Provider | undefined
  const [over, ended] = [new AbortController(), new AbortController()]
  try {
    say('Starting PostgreSQL and two servers …')
    provider = wishes.provider === 'stripe' ? await stripeBehindBadLine(random) : sandboxIn(folder)
    const { addresses, prepare } = provider
    place = await openPlace(folder, provider.env)
    const opened = place
    stop?.addEventListener('abort', () => void opened.stop())
    const crowd = await place.onDatabase(async db => {
      await db.query('update settings set open_tests_per_tester = 1000')
      const people = {
        developers: await addPeople(db, 'DEVELOPER', wishes.clients, addresses),
        testers: await addPeople(db, 'TESTER', wishes.clients * 3, addresses),
        admins: await addPeople(db, 'ADMIN', 2),
      }
      await prepare(db, people)
      return people
    })
    const calls = callsTo(place.living, ended.signal)
    const playing = play(calls, crowd, random, wishes.clients, over.signal)
    const dayMs = Math.min(longestDayMs, (wishes.seconds * 1000) / 8)
    const turning = turnDays({ place, calls, provider, dayMs }, over.signal)
    const living = provider.live(place.living, over.signal)
    const watching = watchBooks(place, over.signal, () => ended.abort())
    const acting = Promise.all([playing, turning, living, watching])
    // If one of them fails, the run ends at once; the error is reported where they are awaited.
    acting.catch(() => ended.abort())
    say(`${wishes.clients} clients act for ${wishes.seconds} s …`)
    const begun = performance.now()
    const recoveriesMs = await breakThings(wishes, place, calls, random, ended.signal)
    const unseen = await allSeen(calls, ended.signal)
    const seconds = (performance.now() - begun) / 1000
    over.abort()
    const [, , , breaches] = await acting
    await place.onDatabase(followClock)
    say('Settling …')
    const otherwise = await answeredOtherwise(calls)
    provider.heal()
    await settle(place, provider)
    const stillOpen = await place.onDatabase(openMatters)
    const [movements, heldCents] = [await provider.movements(), await provider.heldCents()]
    const violations = await place.onDatabase(db => violationsOf(db, { ...calls, movements, heldCents }))
    const byKind: Record<string, number> = {}
    for (const { kind } of calls.moves) byKind[kind] = (byKind[kind] ?? 0) + 1
    return {
      acknowledged: calls.moves.length,
      byKind,
      retried: calls.moves.filter(({ tries }) => tries > 1).length,
      refused: Object.fromEntries([...calls.refused].toSorted(([, one], [, other]) => other - one)),
      faults: { kills: wishes.kills, postgresKills: wishes.postgresKills, cuts: wishes.cuts },
      lost: provider.lost(),
      recoveriesMs,
      seconds,
      violations: [
        ...breaches,
        ...unseen,
        ...violations,
        ...otherwise,
        ...(stillOpen > 0 ? [`still on their way: ${stillOpen}`] : []),
        ...[...calls.refused].filter(([code]) => /IDEMPOTENCY_KEY/.test(code)).map(([code]) => code),
      ],
    }
  } finally {
    over.abort()
    await place?.stop()
    await provider?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
