/** Calls that are repeated with their key until they are answered, and what was answered. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Someone, tokenOf } from './people.ts'

const againAfterMs = 100
const answerWithinMs = 15_000
const mostRepeats = 20

/** An acknowledged move. */
export type Move = {
  kind: string
  key: string
  who: Someone
  path: string
  body: object | undefined
  status: number
  answer: Record<string, unknown>
  tries: number
  /** How often the clock had moved when the call was first sent. */
  day: number
}

type Answer = { status: number; body: Record<string, unknown> }

export type Calls = {
  moves: Move[]
  /** By kind, status and code: refusals by a rule, which change nothing. */
  refused: Map<string, number>
  /** Answers that no client should get. */
  wrong: string[]
  /** Resolves with a 2xx answer, or with null after a refusal. */
  move: (kind: string, who: Someone, path: string, body?: object) => Promise<Move | null>
  /** Sends an acknowledged move again, until it is answered. */
  repeat: (move: Move) => Promise<Answer>
  look: <T>(who: Someone, path: string) => Promise<T | null>
  /** For each server, the time (performance.now()) at which the last successfully answered call was sent. */
  sentAt: Map<string, number>
  answeredAt: Map<string, number>
  /** How often the clock has moved, whether the current move takes long, and the calls not answered yet, by key. */
  days: { now: number; isLate: boolean; open: Map<string, { day: number; what: string }> }
}

const expected = new Set([402, 404, 409, 422, 429])

/** `servers` are those alive at the moment. Once `ended`, unanswered calls are not repeated. */
export const callsTo = (servers: () => readonly string[], ended: AbortSignal): Calls => {
  let turn = 0
  const calls: Calls = {
    moves: [],
    refused: new Map(),
    wrong: [],
    sentAt: new Map(),
    answeredAt: new Map(),
    days: { now: 0, isLate: false, open: new Map() },
    move: async (kind, who, path, body) => {
      const key = randomUUID()
      const day = calls.days.now
      calls.days.open.set(key, { day, what: `${kind} ${path}` })
      try {
        for (let tries = 1; !ended.aborted; tries++) {
          const reply = await ask('POST', who, path, body, key)
          if (reply && reply.status < 300) {
            const made = { kind, key, who, path, body, status: reply.status, answer: reply.body, tries, day }
            calls.moves.push(made)
            return made
          }
          if (reply && reply.status !== 401) {
            const code = `${kind} ${reply.status} ${String(reply.body['code'])}`
            if (expected.has(reply.status)) calls.refused.set(code, (calls.refused.get(code) ?? 0) + 1)
            else calls.wrong.push(`${code}: ${JSON.stringify(reply.body)}`)
            return null
          }
          await pause(againAfterMs)
        }
        return null
      } finally {
        calls.days.open.delete(key)
      }
    },
    repeat: async ({ kind, who, path, body, key }) => {
      for (let tries = 1; tries <= mostRepeats; tries++) {
        const reply = await ask('POST', who, path, body, key)
        if (reply) return reply
        await pause(againAfterMs)
      }
      throw new Error(`${kind} ${path} is not answered a second time`)
    },
    look: async <T>(who: Someone, path: string) => {
      const reply = await ask('GET', who, path, undefined, undefined)
      return reply?.status === 200 ? (reply.body as T) : null
    },
  }

  /** Null if nobody knows what became of the call. */
  const ask = async (
    method: string,
    who: Someone,
    path: string,
    body: object | undefined,
    key: string | undefined,
  ): Promise<Answer | null> => {
    const living = servers()
    const server = living[turn++ % Math.max(1, living.length)]
    if (server === undefined) return null
    const sent = performance.now()
    try {
      const reply = await fetch(new URL(`/api/v1${path}`, server), {
        method,
        headers: {
          authorization: `Bearer ${await tokenOf(who)}`,
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerWithinMs),
      })
      const answer = (await reply.json()) as Record<string, unknown>
      if (reply.status === 500) calls.wrong.push(`${method} ${path}: ${JSON.stringify(answer)}`)
      if (reply.status >= 500) return null
      if (reply.status < 300 && method === 'POST') {
        calls.sentAt.set(server, sent)
        calls.answeredAt.set(server, performance.now())
      }
      return { status: reply.status, body: answer }
    } catch {
      return null
    }
  }
  return calls
}
