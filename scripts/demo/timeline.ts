/** The demo's timeline of scheduled events, and a seeded random generator that gives the same numbers in every run. */
import { clock } from '../../src/kit/clock.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export type Chance = {
  /** True in `percent` of all cases. */
  happens: (percent: number) => boolean
  /** A whole number from `low` to `high`, both included. */
  between: (low: number, high: number) => number
  pick: <T>(choices: readonly T[]) => T
  shuffled: <T>(things: readonly T[]) => T[]
}

/** Mulberry32: small, seeded, and good enough for a demo. */
export const chanceOf = (seed: number): Chance => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    happens: percent => next() * 100 < percent,
    between,
    pick: choices => choices[between(0, choices.length - 1)]!,
    shuffled: things =>
      things
        .map(thing => ({ thing, place: next() }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ thing }) => thing),
  }
}

type Happening = { atMs: number; order: number; run: () => Promise<void> }

export type Timeline = {
  startMs: number
  endMs: number
  nowMs: () => number
  /** Events after the end never happen; events in the past happen now. */
  at: (atMs: number, run: () => Promise<void>) => void
  after: (ms: number, run: () => Promise<void>) => void
  live: (ticks: { hourly: () => Promise<void>; daily: (day: number) => Promise<void> }) => Promise<void>
}

/** Only forward: an event that took a while has already moved the clock further. */
const setClock = (ms: number) => clock.setOffsetMs(Math.max(ms, clock.nowMs()) - Date.now())

/** The `days` up to now. While the timeline runs, the clock shows the time of the current event; afterwards, the real time. */
export const timelineOf = (days: number): Timeline => {
  const endMs = Date.now()
  const startMs = endMs - days * dayMs
  const waiting: Happening[] = []
  let orders = 0

  clock.setOffsetMs(startMs - endMs)

  const at = (wantedMs: number, run: () => Promise<void>) => {
    const atMs = Math.max(wantedMs, clock.nowMs())
    if (atMs > endMs) return
    const happening = { atMs, order: orders++, run }
    const place = waiting.findLastIndex(other => other.atMs <= atMs) + 1
    waiting.splice(place, 0, happening)
  }

  return {
    startMs,
    endMs,
    nowMs: () => clock.nowMs(),
    at,
    after: (ms, run) => at(clock.nowMs() + ms, run),
    live: async ({ hourly, daily }) => {
      for (let hour = 0; hour <= days * 24; hour++) {
        const untilMs = startMs + hour * hourMs
        while (waiting[0] && waiting[0].atMs <= untilMs) {
          const { atMs, run } = waiting.shift()!
          setClock(atMs)
          await run()
        }
        setClock(untilMs)
        await hourly()
        if (hour % 24 === 0) await daily(hour / 24)
      }
      clock.setOffsetMs(0)
    },
  }
}

/** Minutes since midnight in this time zone. */
export const localMinute = (ms: number, timeZone: string): number => {
  const shown = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const [hours = 0, minutes = 0] = shown.format(ms).split(':').map(Number)
  return hours * 60 + minutes
}

/** The first time at or after `fromMs` at which it is this time of day in the time zone. */
export const nextLocalTime = (fromMs: number, timeZone: string, minuteOfDay: number): number =>
  fromMs + ((minuteOfDay - localMinute(fromMs, timeZone) + 1440) % 1440) * minuteMs
