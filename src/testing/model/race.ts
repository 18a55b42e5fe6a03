/**
 * The same actions, with many running at once. Nobody knows which comes first, but whatever was acknowledged has happened once,
 * and the balances are the sum of it.
 */
import { DomainError } from '../../kit/errors.ts'
import { during, requestWork } from '../../kit/server/limits.ts'
import { nextAttempt } from './actions/index.ts'
import { decideAll, tellAll } from './actions/disputes.ts'
import { clockJobs, differenceJob, eventsJob, overdueJob } from './actions/jobs.ts'
import { restore } from './actions/people.ts'
import type { Attempt, Scene, WaitingJob } from './actions/scene.ts'
import { bankName } from './bank.ts'
import type { Campaign, Dispute, Person, Test, Withdrawal } from './books.ts'
import { jobRows, runOf } from './follow.ts'
import { drawingFrom } from './play.ts'
import { Disagreement, openSimulation, population, type Simulation } from './simulation.ts'

export type Raced = { actions: number; successes: Map<string, number>; refusals: Map<string, number> }

const atOnce = 12
const hours = [1, 5, 24, 25, 49, 73, 1465]

/** Loads what there is to act on: only a few unfinished campaigns, so that all actions compete for the same things. */
const reload = async ({ books, look, enter }: Simulation): Promise<void> => {
  const people = new Map(books.people.map(person => [person.id, person]))
  type PersonRow = { id: string; suspended: boolean; deleted: boolean; method: string; balance: number }
  for (const row of await look<PersonRow>(`select id, suspended_at is not null as suspended, deleted_at is not null as deleted,
      coalesce(payment_method, email) as method, balance_of_tester(id) as balance from users`))
    Object.assign(people.get(row.id)!, row)
  for (const [role, count] of Object.entries(population))
    for (
      let there = books.people.filter(person => person.role === role && !person.deleted).length;
      there < count;
      there++
    )
      await enter(role as Person['role'])
  type CampaignRow = Omit<Campaign, 'n' | 'developer' | 'tests' | 'payments' | 'decisions' | 'feeRate'> & {
    developerId: string
  }
  const rows = await look<CampaignRow>(`select c.id, developer_id as "developerId", status, testers_required as testers,
      pay_per_tester_cents as pay, duration_days as days, daily_check_in as daily, quoted_fee_cents as fee,
      funded_cents as escrow, fee_cents as held, verified_testers as verified, closed_seats as closed,
      (extract(epoch from escrow_due_at) * 1000)::bigint as "dueAt", renewal_asked_at is not null as asked,
      after_dispute as "afterDispute"
    from campaigns c where status not in ('COMPLETED', 'CANCELLED') or open_testers > 0 order by created_at desc, title limit 8`)
  books.campaigns.length = 0
  for (const { developerId, ...row } of rows) {
    const developer = people.get(developerId)!
    books.campaigns.push({
      ...row,
      n: books.campaigns.length,
      developer,
      feeRate: 0,
      payments: [],
      tests: [],
      decisions: [],
    })
  }
  const campaigns = new Map(books.campaigns.map(campaign => [campaign.id, campaign]))
  type TestRow = Pick<Test, 'id' | 'status' | 'open' | 'checkIns' | 'appealed'> & {
    campaignId: string
    testerId: string
    joinedAt: string
    seenAt: string
    reviewedAt: string | null
  }
  type DisputeRow = Pick<
    Dispute,
    'provider' | 'reference' | 'status' | 'cents' | 'coveredPay' | 'setOff' | 'settled' | 'waived' | 'giveBack'
  > & {
    campaignId: string
    paymentId: string
  }
  const disputes = await look<DisputeRow>(
    `select provider, reference, status, amount_cents as cents, covered_cents as "coveredPay", set_off_cents as "setOff",
      settled_cents as settled, waived_cents as waived, give_back_cents as "giveBack", campaign_id as "campaignId", payment_id as "paymentId"
    from disputes where campaign_id = any ($1) order by seq`,
    [[...campaigns.keys()]],
  )
  books.disputes.length = 0
  for (const { campaignId, paymentId, ...row } of disputes)
    books.disputes.push({
      ...row,
      n: books.disputes.length,
      campaign: campaigns.get(campaignId)!,
      payment: { id: paymentId, cents: row.cents, left: 0 },
      moves: 0,
      coveredFee: 0,
      fees: new Map(),
    })
  const tests = await look<TestRow>(
    `select id, status, closed_at is null as open, campaign_id as "campaignId", tester_id as "testerId", joined_at as "joinedAt",
      last_seen_at as "seenAt", reviewed_at as "reviewedAt", check_in_count as "checkIns",
      exists (select from appeals where participation_id = p.id) as appealed
    from participations p where campaign_id = any ($1) order by campaign_id, ordinal`,
    [[...campaigns.keys()]],
  )
  books.tests.length = 0
  for (const { campaignId, testerId, joinedAt, seenAt, reviewedAt, ...row } of tests) {
    const campaign = campaigns.get(campaignId)!
    const test: Test = {
      ...row,
      n: books.tests.length,
      campaign,
      tester: people.get(testerId)!,
      lastDay: -1,
      changes: 0,
      joinedAt: Date.parse(joinedAt),
      seenAt: Date.parse(seenAt),
      sinceAt: Date.parse(reviewedAt ?? seenAt),
    }
    campaign.tests.push(test)
    books.tests.push(test)
  }
}

const waiting = async ({ look }: Simulation): Promise<WaitingJob[]> =>
  (await jobRows(look)).map(row => ({ id: row.id, label: row.name, run: runOf(row) }))

const jobOf = (label: string, run: () => Promise<void>, jobId?: string): Attempt => ({
  name: 'job',
  label,
  run,
  mayFail: true,
  decides: /^$/,
  decide: () => null,
  ...(jobId !== undefined && { jobId }),
})

class Acknowledged {
  readonly paid = new Map<string, { campaign: string; cents: number }>()
  readonly withdrawn = new Map<string, number>()
  readonly verified = new Set<string>()
  readonly cancelled = new Set<string>()

  note({ name, about }: Attempt, answer: unknown): void {
    const { id } = (answer ?? {}) as { id?: string }
    // Otherwise the payment is still on its way.
    if (name === 'fund' && (answer as { status: string }).status === 'PENDING_APPROVAL')
      this.paid.set(about!.key!, { campaign: id!, cents: about!.cents! })
    if (name === 'withdraw') this.withdrawn.set(id!, (answer as { amountCents: number }).amountCents)
    if (name === 'verify' || (name === 'decideAppeal' && about!.verifies)) this.verified.add(id!)
    if (name === 'cancel' || name === 'cancelAging') this.cancelled.add(id!)
  }
}

const listed = (all: Iterable<string>) => [...all].toSorted().join()

const sameAs = (what: string, acknowledged: string, there: string) => {
  if (acknowledged !== there) throw new Disagreement(`${what}: acknowledged was ${acknowledged}, there is ${there}`)
}

const compare = async ({ books, look, provider }: Simulation, done: Acknowledged): Promise<void> => {
  const ids = async (query: string) => listed((await look<{ id: string }>(query)).map(({ id }) => id))
  const paid = await look<{ id: string; campaign: string; cents: number }>(
    `select id, campaign_id as campaign, amount_cents as cents from payments where status = 'COMPLETED'`,
  )
  const charged = [...provider.movements.values()].filter(({ kind, state }) => kind === 'CHARGE' && state === 'DONE')
  sameAs(
    'payments',
    listed(charged.map(({ subjectId, cents }) => `${subjectId} ${cents}`)),
    listed(paid.map(({ id, cents }) => `${id} ${cents}`)),
  )
  const left = paid.map(({ campaign, cents }) => `${campaign} ${cents}`)
  for (const { campaign, cents } of done.paid.values()) {
    const at = left.indexOf(`${campaign} ${cents}`)
    if (at === -1) throw new Disagreement(`a payment of ${cents} cents was acknowledged and is not there`)
    left.splice(at, 1)
  }
  const withdrawals = await look<Withdrawal & { testerId: string }>(
    'select id, tester_id as "testerId", amount_cents as cents, status from withdrawals',
  )
  const withdrawn = ([id, cents]: readonly [string, number]) => `${id} ${cents}`
  sameAs(
    'withdrawals',
    listed([...done.withdrawn].map(withdrawn)),
    listed(withdrawals.map(({ id, cents }) => withdrawn([id, cents]))),
  )
  sameAs(
    'verified tests',
    listed(done.verified),
    await ids(`select id from participations where status = 'VERIFIED' and reviewed_by is not null`),
  )
  // Any others were taken back by a bank before they had started, or their developers deleted their accounts.
  const cancelled = await look<{ id: string; explained: boolean }>(`select c.id, u.deleted_at is not null or exists (
      select from transfers t where t.campaign_id = c.id and starts_with(t.business_key, 'dispute-lost:')) as explained
    from campaigns c join users u on u.id = c.developer_id where c.status = 'CANCELLED'`)
  sameAs(
    'cancelled campaigns',
    listed(done.cancelled),
    listed(cancelled.flatMap(({ id, explained }) => (explained && !done.cancelled.has(id) ? [] : [id]))),
  )
  const disputes = await look<{ place: string }>(
    `select reference || ' ' || status as place from disputes where provider = '${bankName}'`,
  )
  sameAs(
    'disputes',
    listed(provider.bank.disputes.map(one => `${one.reference} ${provider.bank.statusOf(one)}`)),
    listed(disputes.map(({ place }) => place)),
  )
  const [cash] = await look<{
    cents: number
  }>(`select sum(case a.id when t.debit_account_id then amount_cents else -amount_cents end)::bigint as cents
    from accounts a join transfers t on a.id in (t.debit_account_id, t.credit_account_id) where a.kind = 'PROVIDER_CASH'`)
  sameAs('what the provider holds', String(await provider.balanceCents()), String(cash!.cents))
  const rows = await look<{ id: string }>('select id from withdrawals where returned_at is not null')
  const returned = new Set(rows.map(({ id }) => id))
  for (const { id, status } of withdrawals) {
    if (returned.has(id)) continue
    sameAs('a withdrawal at the provider', String(provider.doneFor(id).length), status === 'COMPLETED' ? '1' : '0')
  }
  // Each tester has the pay of their tests, less what was withdrawn and did not come back. A deleted tester gave up the rest.
  const earned = await look<{ testerId: string; cents: number }>(`select tester_id as "testerId",
      sum(payout_amount_cents)::bigint as cents from participations where status in ('VERIFIED', 'CANCELLED') group by tester_id`)
  for (const { n, id, role, balance, deleted } of books.people) {
    if (role !== 'TESTER') continue
    const sum = (of: readonly { testerId: string; cents: number }[]) =>
      of.filter(({ testerId }) => testerId === id).reduce((cents, one) => cents + one.cents, 0)
    const ours = deleted ? 0 : sum(earned) - sum(withdrawals.filter(({ status }) => status !== 'FAILED'))
    sameAs(`the balance of tester ${n}`, String(ours), String(balance))
  }
}

/** Needs a database of its own. The same seed requests the same actions; which of them come first is left to chance. */
export const race = async (databaseUrl: string, history: readonly number[]): Promise<Raced> => {
  const simulation = await openSimulation(databaseUrl)
  const done = new Acknowledged()
  const raced: Raced = { actions: 0, successes: new Map(), refusals: new Map() }
  const nothing = async () => undefined
  const scene: Scene = {
    books: simulation.books,
    look: simulation.look,
    provider: simulation.provider,
    keys: new Map(),
    answers: new Map(),
    earlier: [],
    replace: nothing,
    followDeadlines: nothing,
    followPayments: nothing,
    followDisputes: nothing,
    jobs: () => waiting(simulation),
  }
  const count = (of: Map<string, number>, name: string) => of.set(name, (of.get(name) ?? 0) + 1)
  const perform = async (attempt: Attempt) => {
    raced.actions++
    try {
      const answer = await during(requestWork('writes'), attempt.run)
      done.note(attempt, answer)
      count(raced.successes, attempt.name)
      if (attempt.jobId !== undefined) await simulation.look('delete from pgboss.job where id = $1', [attempt.jobId])
    } catch (error) {
      const passes = error instanceof DomainError || attempt.mayFail === true
      if (!passes)
        throw new Disagreement(`${attempt.label} failed: ${error instanceof Error ? error.stack : String(error)}`)
      count(raced.refusals, error instanceof DomainError ? error.code : 'TRIED AGAIN')
    }
  }
  const lookAtDifference = () => perform(jobOf(...differenceJob))
  const settle = async () => {
    for (;;) {
      const jobs = await waiting(simulation)
      if (jobs.length === 0) return
      await lookAtDifference()
      await Promise.all(jobs.map(({ id, label, run }) => perform(jobOf(label, run, id))))
    }
  }
  try {
    for (let from = 0; from < history.length; from += atOnce) {
      await reload(simulation)
      const draw = drawingFrom(history[from]!)
      if (draw(4) === 0) simulation.advance(hours[draw(hours.length)]!)
      const attempts: Attempt[] = []
      for (const seed of history.slice(from, from + atOnce)) {
        const attempt = await nextAttempt(scene, drawingFrom(seed), String(seed))
        if (attempt.keyed && attempt.name !== 'again') scene.earlier.push(attempt)
        attempts.push(attempt)
        // A user presses twice.
        if (attempt.keyed && seed % 5 === 0) attempts.push(attempt)
      }
      await Promise.all(attempts.map(perform))
    }
    await reload(simulation)
    const suspended = simulation.books.people.filter((person: Person) => person.suspended && !person.deleted)
    for (const person of suspended) await perform(restore(scene, person))
    await settle()
    // By then everything that the sandbox announced is due.
    simulation.advance(49)
    await perform(jobOf(...eventsJob))
    await Promise.all(tellAll(scene).map(perform))
    await reload(simulation)
    for (const attempt of await decideAll(scene)) await perform(attempt)
    for (const [label, run] of Object.values(clockJobs)) await perform(jobOf(label, run))
    await settle()
    simulation.advance(25)
    await perform(jobOf(...overdueJob))
    await reload(simulation)
    await compare(simulation, done)
    const breaches = await simulation.look('select check_name, off_cents, examples from money_breaches')
    sameAs('what stops withdrawals', '[]', JSON.stringify(breaches))
    await simulation.check()
    return raced
  } finally {
    await simulation.close()
  }
}
