/** Plays a history: each of its numbers decides an action, how its turns mix with those of others, and what goes wrong. */
import { createHash } from 'node:crypto'
import { DomainError } from '../../kit/errors.ts'
import { during, requestLimits, workOf } from '../../kit/server/limits.ts'
import { nextAttempt } from './actions/index.ts'
import { decideAll, tellAll } from './actions/disputes.ts'
import { clockJobs, differenceJob, eventsJob } from './actions/jobs.ts'
import { tellReturns } from './actions/payouts.ts'
import { restore } from './actions/people.ts'
import type { Attempt, Draw, Scene } from './actions/scene.ts'
import type { Code, Person } from './books.ts'
import {
  compareAll,
  compareBalances,
  findRefunds,
  followDeadlines,
  followDisputes,
  followPayments,
  overdue,
  waitingJobs,
} from './follow.ts'
import { Actor, closeGate } from './gate.ts'
import type { Fate } from './provider.ts'
import { Disagreement, openSimulation, population, type Simulation } from './simulation.ts'

export type Played = {
  /** What was done and what came of it, without ids and times, so that equal histories have equal lines. */
  lines: string[]
  hash: string
  actions: number
  turns: number
  /** How often each action succeeded. */
  successes: Map<string, number>
  checksRun: number
  violation: Disagreement | null
}

/** mulberry32: small, and the same on every machine. */
export const drawingFrom = (seed: number): Draw => {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Going = {
  n: number
  attempt: Attempt
  actor: Actor<unknown>
  /** Undefined until the action is decided. */
  decision: Code | null | undefined
  /** Whether other actions have had a turn since its last one. */
  overtaken: boolean
  isAnswered: boolean
}

const hours = [1, 5, 12, 24, 24, 25, 25, 49, 73, 169]
/** Long enough for money in escrow to be watched, to be due, or to be watched again after an extension. */
const longHours = [1465, 485, 245]
const mostAtOnce = 5
/** The balances are compared after every few decisions and arrivals, and everything after every so many actions. */
const compareBalancesEvery = 4
const compareEvery = 50
const checkEvery = 500
/** Rounds of jobs at the end; each job may start others. */
const mostRounds = 50

const possible: readonly Fate[] = ['ANSWER_LOST', 'LOST_ON_THE_WAY', 'WAITS', 'REFUSED']

/** Errors after which a job is retried. */
const passing = /^The provider|is not known$|settled meanwhile|was refused with WRONG_STATE/
/** Statements that settle money which was on its way. */
const settles = /settle_charge|settle_withdrawal|settle_refund_part|refuse_refund_part|insert into provider_calls/
/** The statement of a job that decides what to ask the provider for; a turn later that may be different. */
const asks = /with sent as/
const isPassing = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.every(isPassing)
    : error instanceof Error && passing.test(error.message)

class Player {
  readonly lines: string[] = []
  readonly successes = new Map<string, number>()
  actions = 0
  turns = 0
  checksRun = 0
  private readonly simulation: Simulation
  private readonly scene: Scene
  private going: Going[] = []
  private moved = 0

  constructor(simulation: Simulation) {
    this.simulation = simulation
    this.scene = {
      books: simulation.books,
      look: simulation.look,
      provider: simulation.provider,
      replace: ({ role }: Person) => simulation.enter(role),
      followDeadlines: () => followDeadlines(simulation),
      followPayments: () => followPayments(simulation),
      followDisputes: () => followDisputes(simulation),
      jobs: () => waitingJobs(simulation),
      keys: new Map(),
      answers: new Map(),
      earlier: [],
    }
  }

  async step(seed: number): Promise<void> {
    const draw = drawingFrom(seed)
    this.actions++
    if (draw(14) === 0) await this.advance(this.hoursThatPass(draw))
    else await this.begin(draw)
    for (let turns = draw(7); turns > 0 && this.going.length > 0; turns--) await this.turn(draw)
    while (this.going.length > mostAtOnce) await this.turn(draw)
    if (this.going.length > 0 && draw(40) === 0) this.crash(draw)
    if (this.actions % compareEvery === 0) await compareAll(this.simulation)
    if (this.actions % checkEvery === 0) await this.check()
  }

  private hoursThatPass(draw: Draw): number {
    const among = draw(10) === 0 ? longHours : hours
    return among[draw(among.length)]!
  }

  private async check() {
    await this.simulation.check()
    this.checksRun++
    // Nobody runs the other jobs here, such as emails, which move no money.
    await this.simulation.look(`delete from pgboss.job where name not like 'ledger.%'`)
  }

  /** Advances the clock, but not while somebody has read it and has not acted yet. */
  private async advance(by: number) {
    for (const one of this.going.slice()) {
      // No request lasts for hours, and none takes hours to reach the provider.
      if (one.attempt.mayFail !== true) await this.finish(one)
      while (one.actor.isAsking && !one.actor.isOver) await this.turnOf(one)
    }
    this.simulation.advance(by)
    // A developer who owes for a lost dispute pays for nothing new.
    const { books } = this.simulation
    const payers = books.people.filter(one => one.role === 'DEVELOPER' && !one.deleted && books.owedBy(one) === 0)
    if (payers.length < population.DEVELOPER) await this.simulation.enter('DEVELOPER')
    this.lines.push(`${by} hours pass`)
  }

  private async begin(draw: Draw) {
    const attempt = await nextAttempt(this.scene, draw, String(this.actions))
    const { fates } = this.simulation.provider
    if (attempt.asksProvider && fates.length === 0 && (attempt.name === 'renew' ? draw(3) > 0 : draw(5) === 0))
      fates.push(possible[draw(possible.length)]!)
    this.lines.push(`${this.actions}: ${attempt.label}`)
    if (attempt.keyed) this.scene.earlier.push(attempt)
    await this.start(attempt)
    // If a job is silent for too long, another server may start it a second time.
    if (attempt.jobId !== undefined && draw(2) === 0) {
      this.lines.push(`${this.actions} runs twice`)
      await this.start(attempt)
    }
  }

  private async start(attempt: Attempt) {
    const n = this.actions
    const actor = new Actor(() => during(workOf('writes', requestLimits), attempt.run))
    const one: Going = { n, attempt, actor, decision: undefined, overtaken: false, isAnswered: false }
    this.going.push(one)
    await actor.settled()
    await this.look(one)
  }

  private async turn(draw: Draw) {
    const one = this.going[draw(this.going.length)]!
    if (!one.actor.mayBeLate || draw(8) > 0) return this.turnOf(one)
    this.lines.push(`${one.n} has waited long enough`)
    await one.actor.beLate()
    await this.look(one)
  }

  /** Notes whether it has answered, and whether any work of it is left. */
  private async look(one: Going) {
    if (one.actor.result && !one.isAnswered) await this.over(one)
    if (one.actor.isOver) this.going = this.going.filter(other => other !== one)
  }

  private async turnOf(one: Going) {
    this.turns++
    for (const other of this.going) if (other !== one) other.overtaken = true
    const { statements } = await one.actor.turn()
    const text = statements.join('\n')
    if (settles.test(text) || (one.attempt.mayFail && asks.test(text))) {
      await followPayments(this.simulation)
      await this.compareSometimes()
      this.lines.push(`${one.n} settles`)
    }
    if (one.attempt.decides.test(text)) {
      one.decision = await one.attempt.decide(text)
      one.overtaken = false
      if (one.decision === null) {
        await findRefunds(this.simulation)
        await this.compareSometimes()
      }
      this.lines.push(`${one.n} is decided: ${one.decision ?? 'OK'}`)
    }
    await this.look(one)
  }

  private async compareSometimes() {
    if (this.moved++ % compareBalancesEvery === 0) await compareBalances(this.simulation)
  }

  private async finish(one: Going) {
    while (this.going.includes(one)) await this.turnOf(one)
  }

  private crash(draw: Draw) {
    const one = this.going[draw(this.going.length)]!
    one.actor.die()
    this.going = this.going.filter(other => other !== one)
    this.lines.push(`${one.n} dies`)
  }

  private async over(one: Going) {
    one.isAnswered = true
    const { attempt, decision, overtaken } = one
    const result = one.actor.result!
    const outcome = this.outcomeOf(one, result)
    this.lines.push(`${one.n} ends: ${outcome ?? 'OK'}`)
    if (outcome === null) this.successes.set(attempt.name, (this.successes.get(attempt.name) ?? 0) + 1)
    if (attempt.jobId !== undefined && outcome === null)
      await this.simulation.look('delete from pgboss.job where id = $1', [attempt.jobId])
    if (attempt.mayFail || decision === 'ANY' || attempt.by?.deleted) return
    const isAsDecided =
      (decision === null && attempt.isOutcome?.(outcome) === true) ||
      (outcome === decision && !(decision === null && attempt.isOutcome)) ||
      (attempt.looksAgain === true && overtaken && outcome !== null && decision !== null)
    this.sameAsBefore(attempt, outcome)
    // No turn decided it: it was refused because of what it had read before.
    if (decision === undefined ? outcome === null : !isAsDecided)
      throw new Disagreement(`${attempt.label}: the books say ${decision ?? 'OK'}, the answer was ${outcome ?? 'OK'}`)
  }

  /** Requests with one key get one answer, even while the first of them is under way. */
  private sameAsBefore({ label, about }: Attempt, outcome: Code | null) {
    const { answers, keys } = this.scene
    const key = about?.key
    if (key === undefined || !keys.has(key)) return
    const before = answers.get(key)
    if (before !== undefined && before !== outcome)
      throw new Disagreement(`${label}: answered with ${before ?? 'OK'} before, and now with ${outcome ?? 'OK'}`)
    answers.set(key, outcome)
  }

  private outcomeOf({ attempt }: Going, result: PromiseSettledResult<unknown>): Code | null {
    if (result.status === 'fulfilled') return null
    const error = result.reason as unknown
    if (error instanceof DomainError) return error.code
    if (attempt.mayFail && isPassing(error)) return 'TRIED AGAIN'
    throw new Disagreement(`${attempt.label} failed: ${error instanceof Error ? error.stack : String(error)}`)
  }

  /** Runs an action to its end while no other has a turn. */
  private async alone(attempt: Attempt) {
    const actor = new Actor(() => during(workOf('writes', requestLimits), attempt.run))
    const one: Going = { n: 0, attempt, actor, decision: undefined, overtaken: false, isAnswered: false }
    this.going.push(one)
    await actor.settled()
    await this.look(one)
    await this.finish(one)
  }

  /** Payouts wait while there is a difference. */
  private async lookAtDifference() {
    const [label, run] = differenceJob
    const seen = await this.simulation.look('select from provider_comparisons where off_since is not null')
    if (seen.length > 0) await this.alone(this.asJob({ label, run }))
  }

  /** Runs all waiting jobs, and those that they start. */
  private async runJobs() {
    let jobs = await waitingJobs(this.simulation)
    for (let rounds = 0; jobs.length > 0; rounds++) {
      if (rounds === mostRounds)
        throw new Disagreement(`jobs are put off for ever: ${jobs.map(({ label }) => label).join(', ')}`)
      await this.lookAtDifference()
      for (const { id, label, run } of jobs) await this.alone(this.asJob({ jobId: id, label, run }))
      jobs = await waitingJobs(this.simulation)
    }
  }

  private asJob(job: Pick<Attempt, 'label' | 'run'> & { jobId?: string }): Attempt {
    const decide = async () => {
      // Deadlines come first, because an appeal that nobody decided closes a seat as well.
      await followDeadlines(this.simulation)
      await followDisputes(this.simulation)
      await followPayments(this.simulation)
      return null
    }
    return { name: 'job', decides: /^begin/, mayFail: true, decide, ...job }
  }

  /** Finishes everything, restores every suspended user, and lets all money arrive: then not a cent may be anywhere else. */
  async end(): Promise<void> {
    const { books, provider } = this.simulation
    for (const one of this.going.slice()) await this.finish(one)
    provider.fates.length = 0
    for (const person of books.people)
      if (person.suspended && !person.deleted) await this.alone(restore(this.scene, person))
    await this.runJobs()
    await this.lookAtDifference()
    // By then everything that the sandbox announced is due.
    this.simulation.advance(49)
    await this.alone(this.asJob({ label: eventsJob[0], run: eventsJob[1] }))
    const told = [...tellReturns(this.scene), ...tellAll(this.scene), ...(await decideAll(this.scene))]
    for (const attempt of told) await this.alone(attempt)
    for (const [label, run] of Object.values(clockJobs)) await this.alone(this.asJob({ label, run }))
    const left = overdue(this.simulation)
    if (left.length > 0) throw new Disagreement(`left undone although due: ${left.join(', ')}`)
    await this.runJobs()
    const ahead = books.refunds.flatMap(({ parts }) => parts).filter(({ done }) => !done)
    const heldBack = ahead.reduce((sum, part) => (books.isHeldBack(part) ? sum + part.cents : sum), 0)
    if (books.payoutsInTransit + books.refundsAhead - heldBack + books.paymentsInTransit !== 0)
      throw new Disagreement(
        `${books.payoutsInTransit}, ${books.refundsAhead}, ${heldBack} of them held back, and ${books.paymentsInTransit} cents are still on their way`,
      )
    const balance = await provider.balanceCents()
    if (balance !== -books.cash)
      throw new Disagreement(`the provider holds ${balance} cents, and the books say ${-books.cash}`)
    await compareAll(this.simulation)
    await this.check()
  }
}

/** Needs a database of its own, migrated and empty. */
export const play = async (databaseUrl: string, history: readonly number[]): Promise<Played> => {
  const simulation = await openSimulation(databaseUrl)
  try {
    const giveTimersBack = closeGate()
    const player = new Player(simulation)
    let violation: Disagreement | null = null
    try {
      for (const seed of history) await player.step(seed)
      await player.end()
    } catch (error) {
      violation =
        error instanceof Disagreement ? error : new Disagreement(String(error instanceof Error ? error.stack : error))
    }
    giveTimersBack()
    const { lines, actions, turns, successes, checksRun } = player
    for (const { renews, status } of simulation.books.charges)
      if (renews) successes.set(`renewal ${status}`, (successes.get(`renewal ${status}`) ?? 0) + 1)
    for (const { status } of simulation.books.disputes)
      successes.set(`dispute ${status}`, (successes.get(`dispute ${status}`) ?? 0) + 1)
    for (const [what, times] of simulation.books.met) successes.set(`dispute ${what}`, times)
    const hash = createHash('sha256').update(lines.join('\n')).digest('hex')
    return { lines, hash, actions, turns, successes, checksRun, violation }
  } finally {
    await simulation.close()
  }
}
