/**
 * Users who write: each write has an idempotency key, and is repeated with it until it is answered. Answered writes are recorded,
 * to be looked for afterwards.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Client } from '../deploy/tlsClient.ts'

type Kind = 'create' | 'fund' | 'cancel'
export type Write = {
  kind: Kind
  key: string
  path: string
  body: object
  token: string
  campaignId: string
  /** The time by performance.now(). */
  asked: number
  answered: number
  tries: number
}

export type Load = {
  writes: Write[]
  reads: { answered: number; failed: number }
  /** Answers that no user should get. */
  refused: string[]
  stop: () => Promise<void>
}

type Campaign = { id: string; totalCostCents: number }

const developers = 5
const campaignsEach = 12
const againAfterMs = 200
const answerWithinMs = 15_000

const campaign = {
  title: 'Try our notes app',
  description: 'Write a note every day and tell us what is in the way.',
  platform: 'android',
  distributionLink: 'https://play.google.com/apps/testing/com.example.notes',
  testersRequired: 3,
  payPerTesterCents: 1000,
  durationDays: 14,
}

/** The answer, or null if nobody knows what became of the call. */
export const askOnce = async (asking: Promise<Answer>): Promise<Answer | null> => {
  const answer = await asking.catch(() => null)
  return answer && ![502, 503, 504].includes(answer.status) ? answer : null
}

export const startLoad = ({ call }: Client): Load => {
  const over = new AbortController()
  const load: Load = { writes: [], reads: { answered: 0, failed: 0 }, refused: [], stop: async () => undefined }

  /** Repeats the write with the same key until it is answered, even after the load, so that no outcome stays unknown. */
  const write = async (kind: Kind, token: string, path: string, body: object): Promise<Campaign | null> => {
    const key = randomUUID()
    const asked = performance.now()
    for (let tries = 1; ; tries++) {
      const asking = call(path, { method: 'POST', token, body, headers: { 'idempotency-key': key } })
      const answer = await askOnce(withinTime(asking))
      if (answer && answer.status < 300) {
        const made = JSON.parse(answer.body) as Campaign
        const answered = performance.now()
        load.writes.push({ kind, key, path, body, token, campaignId: made.id, asked, answered, tries })
        return made
      }
      if (answer) {
        load.refused.push(`${kind}: ${answer.status} ${answer.body}`)
        return null
      }
      await pause(againAfterMs)
    }
  }

  const register = async (): Promise<string | null> => {
    const body = {
      email: `${randomUUID()}@example.test`,
      password: 'correct horse battery',
      name: 'Dora Developer',
      role: 'DEVELOPER',
      country: 'DE',
      timeZone: 'UTC',
      deviceFingerprint: randomUUID(),
    }
    const answer = await askOnce(withinTime(call('/auth/register', { method: 'POST', body })))
    if (answer?.status === 201) return (JSON.parse(answer.body) as { accessToken: string }).accessToken
    if (answer) load.refused.push(`register: ${answer.status} ${answer.body}`)
    return null
  }

  /** What was just written has to be found, whichever machine is asked. */
  const look = async (token: string, id: string) => {
    const answer = await askOnce(withinTime(call('/campaigns?limit=20', { token })))
    if (answer?.status !== 200) load.reads.failed += 1
    else if (!answer.body.includes(id)) load.refused.push(`the list lacks the campaign ${id}, which was just created`)
    else load.reads.answered += 1
  }

  const developer = async () => {
    while (!over.signal.aborted) {
      const token = await register()
      if (token === null) {
        await pause(againAfterMs)
        continue
      }
      for (let made = 0; made < campaignsEach && !over.signal.aborted; made++) {
        const draft = await write('create', token, '/campaigns', campaign)
        if (draft === null) continue
        const { id, totalCostCents } = draft
        await look(token, id)
        await write('fund', token, `/campaigns/${id}/fund`, { amountCents: totalCostCents })
        // A job pays the refund.
        if (made % 3 === 0) await write('cancel', token, `/campaigns/${id}/cancel`, {})
      }
    }
  }
  const all = Promise.all(Array.from({ length: developers }, developer))
  load.stop = async () => {
    over.abort()
    await all
  }
  return load
}

const withinTime = (asking: Promise<Answer>): Promise<Answer> =>
  Promise.race([
    asking,
    pause(answerWithinMs, undefined, { ref: false }).then(() => {
      throw new Error('no answer in time')
    }),
  ])
