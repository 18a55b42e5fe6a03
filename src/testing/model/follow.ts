/** Compares the database with the books, and updates the books with what only the clock or a provider decides, if allowed. */
import type { Look, WaitingJob } from './actions/scene.ts'
import type { Campaign, Charge, Part, Test, Withdrawal } from './books.ts'
import { feeOfProvider } from './provider.ts'
import { aging } from '../../campaigns/server/escrow.ts'
import { askAgain, endCharge, payRefund, payRefundPart } from '../../ledger/server/calls.ts'
import { payOut } from '../../ledger/server/payouts.ts'
import { Disagreement, type Simulation } from './simulation.ts'

const differ = (what: string, ours: unknown, theirs: unknown): never => {
  throw new Disagreement(`${what}: the books say ${JSON.stringify(ours)}, the database ${JSON.stringify(theirs)}`)
}
const same = (what: string, ours: unknown, theirs: unknown): void => {
  if (ours !== theirs) differ(what, ours, theirs)
}

const byId = <T extends { id: string }>(all: readonly T[]) => new Map(all.map(one => [one.id, one]))

/** Compares the balance of every person and campaign, to the cent. */
export const compareBalances = async ({ books, look }: Simulation): Promise<void> => {
  type Row = { kind: string; owner: string; cents: number }
  const rows = await look<Row>(
    'select kind, owner_id as owner, balance_cents as cents from accounts where owner_id is not null',
  )
  const found = new Map(rows.map(({ kind, owner, cents }) => [kind + owner, cents]))
  const balance = (kind: string, id: string) => found.get(kind + id) ?? 0
  for (const { n, id, role, balance: ours } of books.people)
    if (role === 'TESTER') same(`the balance of tester ${n}`, ours, balance('TESTER_BALANCE', id))
  for (const { n, id, escrow, held } of books.campaigns) {
    same(`the escrow of campaign ${n}`, escrow, balance('CAMPAIGN_ESCROW', id))
    same(`the held fee of campaign ${n}`, held, balance('CAMPAIGN_FEE', id))
  }
}

/** Finds the refunds that the books expect, divided over the payments as in the books. */
export const findRefunds = async ({ books, look }: Simulation): Promise<void> => {
  const missing = books.refunds.filter(({ id }) => id === '')
  if (missing.length === 0) return
  const known = books.refunds.flatMap(({ id }) => (id === '' ? [] : [id]))
  type Row = { refund: string; campaign: string; part: string; cents: number; paidBy: string }
  const rows = await look<Row>(
    `select r.id as refund, r.campaign_id as campaign, part.id as part, part.amount_cents as cents, p.id as "paidBy"
      from refunds r join refund_parts part on part.refund_id = r.id join payments p on p.id = part.payment_id
      where r.campaign_id = any ($1) and r.id <> all ($2) order by r.id, p.seq desc`,
    [missing.map(({ campaign }) => campaign.id), known],
  )
  for (const refund of missing) {
    const { payments } = refund.campaign
    const place = (of: string) => payments.findIndex(({ id }) => id === of)
    const told = (parts: readonly { cents: number; paidBy: string }[]) =>
      parts.map(({ cents, paidBy }) => `${cents} of payment ${place(paidBy)}`).join(', ')
    const taken = new Set(books.refunds.map(({ id }) => id))
    // One job may create several refunds of a campaign.
    const made = [...Map.groupBy(rows, row => row.refund).values()].filter(
      ([first]) => first!.campaign === refund.campaign.id && !taken.has(first!.refund),
    )
    const ours = told(refund.parts.map(({ payment, cents }) => ({ cents, paidBy: payment.id })))
    const parts = made.find(theirs => told(theirs) === ours) ?? made[0] ?? []
    same(`the refund of campaign ${refund.campaign.n}`, ours, told(parts))
    refund.id = parts[0]!.refund
    for (const [at, part] of refund.parts.entries()) part.id = parts[at]!.part
  }
}

/** What a scheduled job has done to tests and campaigns: only what was due, with the money that follows from it. */
export const followDeadlines = async ({ books, look }: Simulation): Promise<void> => {
  const ahead = books.tests.filter(({ open }) => open)
  type TestRow = { id: string; status: Test['status']; open: boolean; platform: boolean }
  const tests = byId(
    await look<TestRow>(
      `select p.id, p.status, p.closed_at is null as open, coalesce(a.outcome = 'PLATFORM', false) as platform
      from participations p left join appeals a on a.participation_id = p.id where p.id = any ($1)`,
      [ahead.map(({ id }) => id)],
    ),
  )
  const dropped: Test[] = []
  const rejected: Test[] = []
  for (const test of ahead) {
    const row = tests.get(test.id) ?? differ(`test ${test.n}`, test.status, null)
    if (row.status === test.status && row.open) continue
    const change = `${test.status} → ${row.status}`
    if (books.now < books.deadlineOf(test)) differ(`test ${test.n}, before its time`, test.status, row.status)
    if (change === 'ACTIVE → DROPPED' || change === 'CHANGES_REQUESTED → DROPPED') dropped.push(test)
    else if (change === 'REJECTED → REJECTED') rejected.push(test)
    else if (change === 'SUBMITTED → VERIFIED') books.verified(test)
    else if (change === 'APPEALED → VERIFIED' && row.platform && books.revenue >= test.campaign.pay)
      books.paidByPlatform(test)
    else differ(`test ${test.n}, by the clock`, test.status, row.status)
  }
  books.closedUnpaid(dropped, 'DROPPED')
  books.closedUnpaid(rejected, 'REJECTED')
  type CampaignRow = { id: string; status: Campaign['status']; over: boolean }
  const running = books.campaigns.filter(isRunning)
  if (running.length === 0) return
  const campaigns = byId(
    await look<CampaignRow>('select id, status, end_date <= $1 as over from campaigns where id = any ($2)', [
      new Date(books.now),
      running.map(({ id }) => id),
    ]),
  )
  for (const c of running) {
    const row = campaigns.get(c.id) ?? differ(`campaign ${c.n}`, c.status, null)
    if (row.status === c.status) continue
    const isOver = books.openOf(c) === 0 && (row.over || c.verified + c.closed === c.testers)
    const isDue = isOver && !books.isDisputed(c)
    if (row.status !== 'COMPLETED' || !isDue) differ(`campaign ${c.n}, by the clock`, c.status, row.status)
    books.completed(c)
  }
}

const isRunning = ({ status }: Campaign) => status === 'LIVE' || status === 'PAUSED'

/** What follows from sandbox events that have become due, and from disputes that are over. */
export const followDisputes = async (simulation: Simulation): Promise<void> => {
  const { books, look } = simulation
  const ahead = books.announced.filter(({ isTold }) => !isTold)
  if (ahead.length > 0) {
    const rows = await look<{ paymentId: string; status: string }>(
      `select payload->>'chargeId' as "paymentId", payload->>'status' as status from provider_events
        where processed_at is not null and payload->>'chargeId' = any ($1)`,
      [ahead.map(({ paymentId }) => paymentId)],
    )
    for (const event of ahead) {
      if (!rows.some(({ paymentId, status }) => paymentId === event.paymentId && status === event.status)) continue
      const isRight = event.dueAt <= books.now && books.disputeTold(event)
      if (!isRight) differ('an event of the sandbox', 'not yet', 'worked off')
      event.isTold = true
    }
  }
  const waiting = books.campaigns.filter(c => c.afterDispute || books.isTakenBack(c))
  if (waiting.length === 0) return
  const rows = byId(
    await look<{ id: string; after: boolean; closed: number; setOff: number }>(
      `select id, after_dispute as after, closed_seats as closed,
        (select coalesce(sum(set_off_cents), 0)::bigint from disputes where campaign_id = c.id) as "setOff"
        from campaigns c where id = any ($1)`,
      [waiting.map(({ id }) => id)],
    ),
  )
  for (const c of waiting) {
    const { after, closed, setOff } = rows.get(c.id)!
    const isSettled = c.afterDispute && !after
    const known = books.disputes.reduce((sum, one) => (one.campaign === c ? sum + one.setOff : sum), 0)
    if (!isSettled && closed === c.closed && setOff === known) continue
    if (books.isDisputed(c)) differ(`campaign ${c.n}, while it is disputed`, 'waits', 'settled')
    await followSetOff(simulation, c)
    if (!isSettled && closed === c.closed) continue
    if (isSettled) books.afterDisputes(c)
    else books.emptied(c)
    same(`closed seats of campaign ${c.n}`, c.closed, closed)
  }
}

/** Refunds that banks have paid: all that the provider was never asked for or has refused. */
const followSetOff = async ({ books, look }: Simulation, c: Campaign): Promise<void> => {
  type Row = { id: string; refund: string; cents: number; byBank: boolean; mayBePaid: boolean }
  const rows = await look<Row>(
    `select p.id, refund_id as refund, p.amount_cents as cents, dispute_id is not null as "byBank",
        p.status = 'COMPLETED' and dispute_id is null or exists (select from provider_calls
          where subject_id = p.id and status = 'PENDING' and sent_at is not null) as "mayBePaid"
      from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1`,
    [c.id],
  )
  const asked = new Set(rows.flatMap(({ id, mayBePaid }) => (mayBePaid ? [id] : [])))
  books.setOff(c, ({ id }) => asked.has(id))
  const own = books.refunds.filter(({ campaign }) => campaign === c)
  const taken = new Set(own.flatMap(({ parts }) => parts.map(({ id }) => id)))
  for (const { id: refund, parts } of own) {
    for (const part of parts) {
      if (part.id !== '' || part.bank === null) continue
      const row = rows.find(
        one => one.refund === refund && one.byBank && one.cents === part.cents && !taken.has(one.id),
      )
      part.id = (row ?? differ(`what a bank paid of a refund of campaign ${c.n}`, part.cents, null)).id
      taken.add(part.id)
    }
  }
}

/** Payouts and refunds are settled only as the provider has answered, and only once. */
export const followPayments = async (simulation: Simulation): Promise<void> => {
  await followCharges(simulation)
  await findRefunds(simulation)
  await followPayouts(simulation)
  await followRefunds(simulation)
}

const followPayouts = async ({ books, look, provider }: Simulation): Promise<void> => {
  type Row = { id: string; status: Withdrawal['status']; claimed: boolean }
  const pending = books.withdrawals.filter(({ status }) => status === 'PENDING')
  if (pending.length === 0) return
  const rows = byId(
    await look<Row>('select id, status, claimed_at is not null as claimed from withdrawals where id = any ($1)', [
      pending.map(({ id }) => id),
    ]),
  )
  for (const withdrawal of pending) {
    const row = rows.get(withdrawal.id) ?? differ(`withdrawal ${withdrawal.n}`, 'PENDING', null)
    if (row.claimed && !withdrawal.claimed) {
      if (withdrawal.tester.suspended) differ(`withdrawal ${withdrawal.n} of somebody suspended`, 'frozen', 'claimed')
      withdrawal.claimed = true
    }
    if (row.status === 'PENDING') continue
    const isPaid = row.status === 'COMPLETED'
    if (provider.doneFor(withdrawal.id).length !== (isPaid ? 1 : 0))
      differ(`withdrawal ${withdrawal.n}, as the provider answered`, provider.doneFor(withdrawal.id), row.status)
    books.settled(withdrawal, isPaid)
  }
}

const followRefunds = async ({ books, look, provider }: Simulation): Promise<void> => {
  const ahead = partsAhead(books.refunds)
  if (ahead.length === 0) return
  const parts = byId(
    await look<{ id: string; status: string; sent: number }>(
      `select id, status, (select count(sent_at)::int from provider_calls where subject_id = refund_parts.id) as sent
        from refund_parts where id = any ($1)`,
      [ahead.map(({ id }) => id)],
    ),
  )
  for (const part of ahead) {
    const row = parts.get(part.id)!
    if (row.sent > part.sent && books.isHeldBack(part)) differ('a part of a refund', 'held back', 'asked for')
    part.sent = row.sent
    if (row.status === 'PENDING') continue
    if (provider.doneFor(part.id).length !== 1) differ('a part of a refund', provider.doneFor(part.id), 'COMPLETED')
    books.partPaid(part)
  }
}

/** Charges are booked as the provider has answered, to a campaign that still wants them; otherwise they go back. */
const followCharges = async ({ books, look, provider }: Simulation): Promise<void> => {
  const pending = books.charges.filter(({ status }) => status === 'PENDING')
  if (pending.length === 0) return
  type Row = { id: string; status: Charge['status'] }
  const rows = byId(
    await look<Row>('select id, status from charges where id = any ($1)', [pending.map(({ id }) => id)]),
  )
  for (const charge of pending) {
    const row = rows.get(charge.id) ?? differ(`charge ${charge.n}`, 'PENDING', null)
    if (row.status === 'PENDING') continue
    const [done] = provider.doneFor(charge.id)
    const isRefused = [...provider.movements.values()].some(
      ({ subjectId, state }) => subjectId === charge.id && state === 'REFUSED',
    )
    if (done) books.charged(charge, feeOfProvider(done.cents))
    else books.notCharged(charge, isRefused)
    same(`charge ${charge.n}`, charge.status, row.status)
  }
}

const partsAhead = (refunds: readonly { parts: Part[] }[]): Part[] =>
  refunds.flatMap(({ parts }) => parts.filter(({ done, id }) => !done && id !== ''))

/** What was due but is still not done after the clock has looked at everything. */
export const overdue = ({ books }: Simulation): string[] => [
  ...books.tests.flatMap(test =>
    test.status !== 'APPEALED' && books.deadlineOf(test) <= books.now ? [`test ${test.n} is ${test.status}`] : [],
  ),
  ...books.campaigns.flatMap(c => {
    if (books.isDisputed(c)) return []
    const isDone = books.openOf(c) === 0 && c.verified + c.closed === c.testers
    const isToEmpty = books.isTakenBack(c) && books.freeSeats(c) > 0
    if (c.afterDispute) return [`the disputes of campaign ${c.n} are not settled`]
    return isRunning(c) && (isDone || isToEmpty) ? [`campaign ${c.n} is ${c.status}`] : []
  }),
]

/** Compares everything, including what no balance shows. */
export const compareAll = async (simulation: Simulation): Promise<void> => {
  const { books, look, provider } = simulation
  await compareBalances(simulation)
  const statuses = async (table: string, ours: readonly { id: string; n: number; status: string }[]) => {
    const rows = byId(await look<{ id: string; status: string }>(`select id, status from ${table}`))
    same(`how many ${table} there are`, ours.length, rows.size)
    for (const { id, n, status } of ours) same(`the status of ${n} among ${table}`, status, rows.get(id)?.status)
  }
  await statuses('campaigns', books.campaigns)
  await statuses('participations', books.tests)
  await statuses('withdrawals', books.withdrawals)
  const refunds = books.refunds.map(({ id, n, parts }) => ({
    id,
    n,
    status: parts.every(({ done }) => done) ? 'COMPLETED' : 'PENDING',
  }))
  await statuses('refunds', refunds)
  const sums = await look<{ kind: string; cents: number }>(`select a.kind,
      (coalesce((select sum(amount_cents) from transfers where credit_account_id = a.id), 0)
        - coalesce((select sum(amount_cents) from transfers where debit_account_id = a.id), 0))::bigint as cents
    from accounts a where a.owner_id is null`)
  const booked = new Map(sums.map(({ kind, cents }) => [kind, cents]))
  same('the provider’s cash', books.cash, booked.get('PROVIDER_CASH'))
  same('the platform’s revenue', books.revenue, booked.get('PLATFORM_REVENUE'))
  same('what was given up', books.givenUp, booked.get('GIVEN_UP') ?? 0)
  same('payouts in transit', books.payoutsInTransit, booked.get('PAYOUTS_IN_TRANSIT'))
  same('refunds', books.refundsAhead, booked.get('REFUNDS_IN_TRANSIT')! + booked.get('REFUNDS_OWED')!)
  same('payments in transit', books.paymentsInTransit, booked.get('PAYMENTS_IN_TRANSIT'))
  same('the provider’s fees', books.providerFees, booked.get('PROVIDER_FEES'))
  same('what developers owe for lost disputes', books.receivable, booked.get('DISPUTES_RECEIVABLE') ?? 0)
  same('what the operator owes for settled debts', books.paidOutside, booked.get('PAID_OUTSIDE') ?? 0)
  await statuses('charges', books.charges)
  await compareDisputes(simulation)
  await compareEscrow(simulation)
  const breaches = await look('select check_name, off_cents, examples from money_breaches')
  same('what stops withdrawals', '[]', JSON.stringify(breaches))
  // Nothing was done twice, and everything that was done is booked or on its way.
  const known = new Set([
    ...books.withdrawals.map(({ id }) => id),
    ...books.charges.map(({ id }) => id),
    ...books.refunds.flatMap(({ parts }) => parts.map(({ id }) => id)),
  ])
  const done = [...provider.movements.values()]
    .filter(({ state }) => state === 'DONE')
    .map(({ subjectId }) => subjectId)
  same('what the provider did twice', 0, done.length - new Set(done).size)
  for (const id of done) if (!known.has(id)) differ('something that the provider did', 'nothing', id)
}

/** Compares each dispute, and what its campaign shows of it. */
const compareDisputes = async ({ books, look }: Simulation): Promise<void> => {
  type Row = {
    place: string
    status: string
    covered: number
    setOff: number
    settled: number
    waived: number
    giveBack: number
    fee: number
  }
  const rows = await look<Row>(`select provider || ' ' || reference as place, status, covered_cents as covered,
    set_off_cents as "setOff", settled_cents as settled, waived_cents as waived, give_back_cents as "giveBack", provider_fee_cents as fee from disputes`)
  const told = ({ place, status, covered, setOff, settled, waived, giveBack, fee }: Row) =>
    `${place} ${status}, ${covered} covered, ${setOff} set off, ${settled} settled, ${waived} waived, ${giveBack} to give back, ${fee} kept`
  const ours = books.disputes.map(({ provider, reference, coveredPay, coveredFee, fees, ...one }) => {
    const fee = [...fees.values()].reduce((sum, cents) => sum + cents, 0)
    return told({ ...one, place: `${provider} ${reference}`, covered: coveredPay + coveredFee, fee })
  })
  same('disputes', ours.toSorted().join('; '), rows.map(told).toSorted().join('; '))
  const campaigns = byId(
    await look<{
      id: string
      frozen: boolean
      lost: boolean
      after: boolean
    }>(`select id, disputed_since is not null as frozen,
      dispute_lost_at is not null as lost, after_dispute as after from campaigns`),
  )
  for (const c of books.campaigns) {
    const row = campaigns.get(c.id)!
    same(`whether campaign ${c.n} is frozen`, books.isDisputed(c), row.frozen)
    same(`whether a payment of campaign ${c.n} was taken back`, books.isTakenBack(c), row.lost)
    same(`whether disputes of campaign ${c.n} are to be settled`, c.afterDispute, row.after)
  }
}

const msOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant))

/** Compares since when money has been in escrow, what was decided about it, and the admins' queue. */
const compareEscrow = async ({ books, look }: Simulation): Promise<void> => {
  type Row = { id: string; dueAt: string | null; asked: boolean; decisions: string }
  const rows = byId(
    await look<Row>(`select id, escrow_due_at as "dueAt", renewal_asked_at is not null as asked, coalesce(
      (select string_agg(decision, ', ' order by id) from escrow_decisions where campaign_id = c.id), '') as decisions
    from campaigns c`),
  )
  for (const { n, id, dueAt, asked, decisions } of books.campaigns) {
    const row = rows.get(id)!
    same(`when the money of campaign ${n} is due`, dueAt, msOf(row.dueAt))
    same(`whether campaign ${n} is to be paid anew`, asked, row.asked)
    same(`what was decided of campaign ${n}`, decisions.join(', '), row.decisions)
  }
  const charges = byId(
    await look<{ id: string; ended: boolean }>('select id, ended_at is not null as ended from charges'),
  )
  for (const { n, id, ended } of books.charges) same(`whether charge ${n} is ended`, ended, charges.get(id)?.ended)
  const decisions = { extend: 'EXTENDED', renew: 'RENEWAL_ASKED', cancel: 'CANCELLED' } as const
  const told = (at: number, id: string, cents: number, actions: string[]) => `${at} ${id} ${cents} ${actions.join('/')}`
  const ours = books.campaigns.flatMap(c => {
    if (!books.isWatched(c)) return []
    const actions = Object.entries(decisions).filter(([, decision]) => books.whyNotDecide(c, decision) === null)
    return [
      told(
        c.dueAt!,
        c.id,
        books.heldOf(c),
        actions.map(([action]) => action),
      ),
    ]
  })
  const { items } = await aging({ limit: 100 })
  const theirs = items.map(({ dueAt, id, heldCents, actions }) => told(Date.parse(dueAt), id, heldCents, actions))
  same('the queue of aging escrow', ours.toSorted().join(', '), theirs.join(', '))
}

type JobRow = {
  id: string
  name: string
  data: { withdrawalId?: string; refundId?: string; partId?: string; subjectId?: string; look?: number; after?: number }
}

export const jobRows = (look: Look): Promise<JobRow[]> =>
  look(`select id, name, data from pgboss.job where name in ('ledger.pay-out', 'ledger.pay-refund', 'ledger.pay-refund-part',
    'ledger.ask-again', 'ledger.end-charge') and state in ('created', 'retry')`)

export const runOf = ({ name, data }: JobRow): (() => Promise<void>) => {
  const { withdrawalId, refundId, partId, subjectId, look, after } = data
  const next = after === undefined ? {} : { after }
  if (subjectId !== undefined)
    return name === askAgain.name
      ? () => askAgain.run({ subjectId, ...(look !== undefined && { look }) })
      : () => endCharge.run({ subjectId })
  if (withdrawalId !== undefined) return () => payOut.run({ withdrawalId, ...next })
  return refundId === undefined
    ? () => payRefundPart.run({ partId: partId!, ...next })
    : () => payRefund.run({ refundId })
}

/** The waiting jobs of payouts and refunds, in an order that does not depend on ids. */
export const waitingJobs = async ({ books, look }: Simulation): Promise<WaitingJob[]> => {
  const charges = byId(books.charges)
  const withdrawals = byId(books.withdrawals)
  const refunds = byId(books.refunds)
  const parts = new Map(
    books.refunds.flatMap(refund => refund.parts.map(({ id }, place) => [id, [refund.n, place] as const])),
  )
  const jobs = (await jobRows(look)).map(row => {
    const { withdrawalId, refundId, partId, subjectId } = row.data
    const told = (kind: number, n: number, place: number, label: string) => ({
      order: [kind, n, place] as const,
      id: row.id,
      label,
      run: runOf(row),
    })
    if (subjectId !== undefined) {
      const what = row.name === askAgain.name ? 'asked for again' : 'ended'
      const kind = row.name === askAgain.name ? 3 : 4
      const charge = charges.get(subjectId)
      if (charge) return { ...told(kind, charge.n, 0, `charge ${charge.n} is ${what}`), isRare: charge.renews }
      const withdrawal = withdrawals.get(subjectId)
      if (withdrawal) return told(kind + 2, withdrawal.n, 0, `withdrawal ${withdrawal.n} is ${what}`)
      const [n, place] = parts.get(subjectId)!
      return told(kind + 4, n, place, `part ${place} of refund ${n} is ${what}`)
    }
    if (withdrawalId !== undefined) {
      const { n } = withdrawals.get(withdrawalId)!
      return told(0, n, 0, `withdrawal ${n} is paid out`)
    }
    if (refundId !== undefined) {
      const { n } = refunds.get(refundId)!
      return told(1, n, 0, `refund ${n} is divided`)
    }
    const [n, place] = parts.get(partId!)!
    return told(2, n, place, `part ${place} of refund ${n} is paid`)
  })
  return jobs.toSorted((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1] || a.order[2] - b.order[2])
}
