/**
 * How many requests each network makes within a minute, on all servers together (decision 049). Each server counts on its own,
 * and once a second those with much traffic tell the others in a single statement, which returns everybody's counts.
 */
import type { FastifyInstance } from 'fastify'
import { clock } from '../clock.ts'
import { autocommit, sql } from './db.ts'
import { during, requestLimits, workOf } from './limits.ts'

const exchangeEveryMs = 1_000
const exchangeWithinMs = 2_000
const minuteMs = 60_000
/** Networks that use a smaller part of the limit are not worth a row. */
const smallPart = 1 / 20
/** If more networks call within a minute, the earliest are forgotten. */
const mostNetworks = 100_000

/** `told` is how many of `own` the others know of; `others` is what they have told. */
type Count = { own: number; told: number; others: number }

/** By the machine's clock, since the test clock must not move limits. */
const realMs = () => clock.nowMs() - clock.offsetMs()

type Counted = (error: Error | null, result: { current: number; ttl: number }) => void

/** The store of `@fastify/rate-limit`, for a limit of `max` a minute. */
export const shareCounts = (app: FastifyInstance, max: number) => {
  let minute = 0
  const counts = new Map<string, Count>()
  const countOf = (network: string): Count => {
    const now = Math.floor(realMs() / minuteMs)
    if (now !== minute) counts.clear()
    minute = now
    let count = counts.get(network)
    if (!count) {
      if (counts.size >= mostNetworks) counts.delete(counts.keys().next().value!)
      counts.set(network, (count = { own: 0, told: 0, others: 0 }))
    }
    return count
  }

  const exchange = async () => {
    const [of, told] = [minute, [...counts].filter(([, count]) => isNews(count, max))]
    if (told.length === 0) return
    const news = told.map(([network, { own, told: before }]) => ({ network, more: own - before }))
    const rows = await during(workOf('sessions', requestLimits, exchangeWithinMs), () => tell(of, news))
    if (of !== minute) return
    const all = new Map(rows.map(row => [row.network, row.requests]))
    for (const [index, [network, count]] of told.entries()) {
      count.told += news[index]!.more
      count.others = all.get(network)! - count.told
    }
  }

  let exchanging: Promise<unknown> | undefined
  const timer = setInterval(() => {
    // While the database does not answer, each server counts on its own.
    exchanging ??= exchange()
      .catch(() => undefined)
      .finally(() => (exchanging = undefined))
  }, exchangeEveryMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await exchanging
  })

  return class SharedCounts {
    incr(network: string, counted: Counted): void {
      const count = countOf(network)
      count.own += 1
      counted(null, { current: count.own + count.others, ttl: minuteMs - (realMs() % minuteMs) })
    }
    child(): this {
      return this
    }
  }
}

const isNews = ({ own, told }: Count, max: number) => own > told && own >= max * smallPart

type News = { network: string; more: number }

/** Networks are ordered, so servers that tell at once do not wait for each other in a deadlock. */
const tell = (minute: number, news: readonly News[]) =>
  autocommit.rows<{ network: string; requests: number }>(sql`
    with past as (delete from request_counts where minute < ${minute - 1})
    insert into request_counts as c (minute, network, requests)
    select ${minute}, network, more
    from unnest(${news.map(({ network }) => network)}::text[], ${news.map(({ more }) => more)}::int[]) n (network, more)
    order by network
    on conflict (minute, network) do update set requests = c.requests + excluded.requests
    returning network, requests`)
