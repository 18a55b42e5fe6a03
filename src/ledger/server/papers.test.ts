/** Papers over HTTP: who gets them, that they add up, and that names are printed correctly. */
import { expect, test } from 'vitest'
import { draftOf, fundedBy, liveCampaign, paidTester, password, type Person, type Reply } from '../../testing/app.ts'
import { readPdf } from '../../testing/pdfs.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Transaction } from '../contract.ts'
import type { PayoutAdvice, Papers, Statement, StatementLine, YearSummary } from '../papersContract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

const download = async (person: Person, path: string) => {
  await person.call('GET', '/users/me')
  const headers = { authorization: `Bearer ${person.accessToken}` }
  const reply = await t.app.inject({ method: 'GET', url: `/api/v1${path}`, headers })
  return { status: reply.statusCode, headers: reply.headers, body: reply.rawPayload }
}

const pdfOf = async (person: Person, path: string) => {
  const { status, headers, body } = await download(person, path)
  expect([path, status, headers['content-type']]).toEqual([path, 200, 'application/pdf'])
  const pdf = await readPdf(body)
  expect([path, pdf.boxes, pdf.fontsEmbedded]).toEqual([path, 0, true])
  return { ...pdf, text: pdf.pages.join(' '), fileName: headers['content-disposition'] }
}

const statementOf = async (person: Person, month = '') =>
  (await person.call<Statement>('GET', `/users/me/statement${month && `?month=${month}`}`)).body

const linesOf = async (person: Person) =>
  (await person.call<{ data: Transaction[] }>('GET', '/users/me/transactions?limit=100')).body.data

const polish = 'Łukasz Şahin Őry'
const title = 'Łódź şehir notes'

const funded = async (name = polish) => {
  const developer = await t.signUp('DEVELOPER', { name })
  const { id } = await liveCampaign(developer, admin, { title })
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await t.advance(1)
  const [refund, , payment] = await linesOf(developer)
  return { developer, campaignId: id, paymentId: payment!.paymentId!, refundId: refund!.refundId! }
}

test('receipt and credit note carry names with Ł, ş and ő in a font of their own, their amounts, and TEST MODE', async () => {
  const { developer, paymentId, refundId } = await funded()
  const receipt = await pdfOf(developer, `/users/me/payments/${paymentId}/receipt.pdf`)
  for (const part of ['Fieldtest', 'TEST MODE', 'Receipt', polish, title, '$30.00', '$4.50', '$34.50', paymentId])
    expect(receipt.text).toContain(part)
  expect(receipt.text).not.toContain('transliterated')
  const number = /RCP-\d{8}-[0-9A-F]{12}/.exec(receipt.text)?.[0]
  expect(receipt.fileName).toBe(`attachment; filename="${number}.pdf"`)
  expect(receipt.title).toBe(`Receipt ${number}`)
  const note = await pdfOf(developer, `/users/me/refunds/${refundId}/credit-note.pdf`)
  for (const part of ['Credit note', 'TEST MODE', polish, '$34.50', 'refunded', refundId])
    expect(note.text).toContain(part)
})

test('a declined payment has no receipt, but a paper that says so', async () => {
  const developer = await t.signUp('DEVELOPER')
  await developer.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
  const { id, totalCostCents } = await draftOf(developer)
  expect((await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: totalCostCents })).status).toBe(402)
  const [line] = await linesOf(developer)
  const { title: named, text } = await pdfOf(developer, `/users/me/payments/${line!.paymentId}/receipt.pdf`)
  expect(named).toMatch(/^Declined payment RCP-/)
  expect(text).toContain('You were not charged.')
  expect(text).not.toContain('Receipt')
})

test('a paper keeps its number, whatever the reader’s time zone', async () => {
  const { developer, paymentId } = await funded()
  const path = `/users/me/payments/${paymentId}/receipt.pdf`
  const before = await pdfOf(developer, path)
  await developer.call('PATCH', '/users/me', { timeZone: 'Pacific/Kiritimati' })
  await t.advance(24)
  const after = await pdfOf(developer, path)
  expect(after.title).toBe(before.title)
  expect(after.text).toContain('Times are in Pacific/Kiritimati,')
})

test('letters that the font lacks are transliterated, and other scripts, very long words and right-to-left names break nothing', async () => {
  const long = 'W'.repeat(100)
  const names = {
    '<script>alert(1)</script>': '<script>alert(1)</script>',
    'مرحبا Ann': 'mrhb Ann',
    '\u202Eevil\u202C Bob': 'evil Bob',
    'Zoë 🐶': 'Zoë :dog:',
    [long]: 'WWWWWWWWWW',
  }
  for (const [name, written] of Object.entries(names)) {
    const developer = await t.signUp('DEVELOPER', { name })
    await fundedBy(developer, { title: name.slice(0, 60).padEnd(8, '!') })
    const [, line] = await linesOf(developer)
    const { text, pages } = await pdfOf(developer, `/users/me/payments/${line!.paymentId}/receipt.pdf`)
    expect(text).toContain(written)
    expect([name, pages.length]).toEqual([name, 1])
    if (/[مв🐶]/u.test(name)) expect(text).toContain('transliterated')
    await pdfOf(developer, '/users/me/statement.pdf')
    await pdfOf(developer, '/users/me/year-summary.pdf')
  }
})

/** Two earnings, a withdrawal that fails in the next month, and one that is paid in it. */
const earner = async (timeZone = 'Pacific/Auckland') => {
  const developer = await t.signUp('DEVELOPER')
  const tester = await paidTester(t, developer, admin, 3000)
  expect((await tester.call('PATCH', '/users/me', { timeZone, name: polish })).status).toBe(200)
  await tester.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
  await t.advance(25)
  return { developer, tester }
}

const hoursToNextMonth = async (tester: Person) => {
  const { until, writtenAt } = await statementOf(tester)
  return (Date.parse(until) - Date.parse(writtenAt)) / 3_600_000
}

const ledgerBalance = async ({ user }: Person, at: string) => {
  const [row] = await t.look<{ cents: string }>(
    `select coalesce(sum(case when credit_account_id = a.id then amount_cents else -amount_cents end), 0) as cents
     from accounts a join transfers on a.id in (credit_account_id, debit_account_id)
     where kind = 'TESTER_BALANCE' and owner_id = $1 and at < $2`,
    [user.id, at],
  )
  return Number(row!.cents)
}

const allLines = async (person: Person, month: string, limit = 100) => {
  const lines: StatementLine[] = []
  let path: string | null = `/users/me/statement/lines?month=${month}&limit=${limit}`
  while (path !== null) {
    const { status, body, headers }: Reply<StatementLine[]> = await person.call('GET', path)
    expect(status).toBe(200)
    lines.push(...body)
    path = /<\/api\/v1([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1] ?? null
  }
  return lines
}

test('opening balance, lines and closing balance agree with the ledger, even across a month’s end, a failed withdrawal and its return', async () => {
  const { developer, tester } = await earner()
  // Requested minutes before the month ends in Auckland; it fails after the month's end.
  await t.advance((await hoursToNextMonth(tester)) - 0.2)
  expect((await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })).status).toBe(201)
  await t.advance(1)
  await tester.call('PATCH', '/users/me', { paymentMethod: 'good@example.test', currentPassword: password })
  await t.advance(25)
  expect((await tester.call('POST', '/testers/withdraw', { amountCents: 1200 })).status).toBe(201)
  await t.advance(1)
  const { months } = (await tester.call<Papers>('GET', '/users/me/papers')).body
  expect(months.length).toBeGreaterThan(1)
  let closing = 0
  const statements: Statement[] = []
  for (const month of months.toReversed()) {
    const statement = await statementOf(tester, month)
    const { balance, from, until } = statement
    const lines = await allLines(tester, month, 1)
    expect(balance!.openingCents).toBe(closing)
    expect(balance!.openingCents).toBe(await ledgerBalance(tester, from))
    expect(balance!.closingCents).toBe(await ledgerBalance(tester, until))
    expect(lines).toHaveLength(statement.lines)
    let running = balance!.openingCents
    for (const line of lines) {
      expect(line.createdAt >= from && line.createdAt < until).toBe(true)
      running += line.movedCents
      expect(line.balanceCents).toBe(running)
    }
    expect(running).toBe(balance!.closingCents)
    closing = running
    statements.push(statement)
  }
  const [before, after] = statements.slice(-2)
  expect(before!.balance).toMatchObject({ withdrawnCents: 1000, returnedCents: 0, closingCents: 2000 })
  expect(after!.balance).toMatchObject({
    openingCents: 2000,
    withdrawnCents: 1200,
    returnedCents: 1000,
    closingCents: 1800,
  })
  const { body: year } = await tester.call<YearSummary>(
    'GET',
    `/users/me/year-summary?year=${after!.month.slice(0, 4)}`,
  )
  expect(year.paidOutCents).toBe(1200)
  const pdf = await pdfOf(tester, `/users/me/statement.pdf?month=${after!.month}`)
  for (const part of ['$20.00', '+$10.00', '−$12.00', '$18.00', 'Pacific/Auckland', 'TEST MODE', polish])
    expect(pdf.text).toContain(part)
  // This developer gets no refund, so what they paid equals what the ledger took from the provider.
  const { payments } = await statementOf(developer)
  expect(payments).toMatchObject({ refundedPayCents: 0, refundedFeeCents: 0 })
})

test('a developer’s sums of a month are those of the ledger’s transfers, refunds included', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await fundedBy(developer)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await fundedBy(developer, { payPerTesterCents: 1500 })
  await developer.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
  const draft = await draftOf(developer)
  await developer.call('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.totalCostCents })
  const { payments, lines, month, from, until } = await statementOf(developer)
  const [ledger] = await t.look<Record<string, string>>(
    `select coalesce(sum(amount_cents) filter (where business_key like 'fund-pay:%'), 0) as "testersPayCents",
       coalesce(sum(amount_cents) filter (where business_key like 'fund-fee:%'), 0) as "feeCents",
       coalesce(sum(amount_cents) filter (where business_key like 'refund-pay:%'), 0) as "refundedPayCents",
       coalesce(sum(amount_cents) filter (where business_key like 'refund-fee:%'), 0) as "refundedFeeCents"
     from transfers where campaign_id in (select id from campaigns where developer_id = $1) and at >= $2 and at < $3`,
    [developer.user.id, from, until],
  )
  expect(payments).toEqual(Object.fromEntries(Object.entries(ledger!).map(([name, cents]) => [name, Number(cents)])))
  expect(payments).toMatchObject({ testersPayCents: 7500, refundedPayCents: 3000, refundedFeeCents: 450 })
  const moved = (await allLines(developer, month)).reduce((cents, line) => cents + line.movedCents, 0)
  expect(moved).toBe(3450 - payments!.testersPayCents - payments!.feeCents)
  expect(lines).toBe(6)
  const { body: year } = await developer.call<YearSummary>('GET', '/users/me/year-summary')
  expect(year.payments).toEqual(payments)
  expect(year.paidFor.map(({ testersPayCents, refundedPayCents }) => [testersPayCents, refundedPayCents])).toEqual([
    [4500, 0],
    [3000, 3000],
  ])
})

test('a payout advice says when the withdrawal was requested, where it went, what became of it, and why it failed', async () => {
  const { tester } = await earner('Europe/Warsaw')
  const { body } = await tester.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
  const path = `/users/me/withdrawals/${body.id}`
  const pending = (await tester.call<PayoutAdvice>('GET', path)).body
  expect(pending).toMatchObject({
    status: 'PENDING',
    amountCents: 1000,
    destination: 'decline@example.test',
    settledAt: null,
  })
  await t.advance(1)
  const failed = (await tester.call<PayoutAdvice>('GET', path)).body
  expect(failed).toMatchObject({
    number: pending.number,
    status: 'FAILED',
    returnedAt: failed.settledAt,
    tester: { name: polish },
  })
  expect(failed.failureReason).toContain('declines this payment method')
  const pdf = await pdfOf(tester, `${path}/payout-advice.pdf`)
  for (const part of ['Payout advice', pending.number, body.id, '$10.00', 'Failure reason', polish, 'Europe/Warsaw'])
    expect(pdf.text).toContain(part)
  const lines = await linesOf(tester)
  expect(lines.filter(({ withdrawalId }) => withdrawalId === body.id).map(({ type }) => type)).toEqual([
    'CREDIT',
    'PAYOUT',
  ])
})

test('a payout that comes back stays in the year in which it was paid, and is deducted in the year in which it came back', async () => {
  const { tester } = await earner('Europe/Warsaw')
  await tester.call('PATCH', '/users/me', { paymentMethod: 'returned@example.test', currentPassword: password })
  await t.advance(25)
  const { body } = await tester.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
  await t.advance(1)
  const advice = async () => (await tester.call<PayoutAdvice>('GET', `/users/me/withdrawals/${body.id}`)).body
  const paid = await advice()
  expect(paid).toMatchObject({ status: 'COMPLETED', returnedAt: null })
  // Backdates the payment by a year.
  await t.look(`update withdrawals set settled_at = settled_at - interval '1 year' where id = $1`, [body.id])
  await t.advance(48)
  const back = await advice()
  expect(back).toMatchObject({ status: 'RETURNED', settledAt: expect.any(String), returnedAt: expect.any(String) })
  const paidOutIn = async (year: number) =>
    (await tester.call<{ paidOutCents: number }>('GET', `/users/me/year-summary?year=${year}`)).body.paidOutCents
  const year = new Date(back.returnedAt!).getUTCFullYear()
  expect([await paidOutIn(year - 1), await paidOutIn(year)]).toEqual([1000, -1000])
})

test('nobody finds another’s papers, and each role has its own', async () => {
  const { developer, paymentId, refundId } = await funded()
  const { tester } = await earner()
  const { body } = await tester.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
  const other = await t.signUp('DEVELOPER')
  const another = await t.signUp('TESTER')
  const ofDeveloper = [`/users/me/payments/${paymentId}/receipt.pdf`, `/users/me/refunds/${refundId}/credit-note.pdf`]
  const ofTester = [`/users/me/withdrawals/${body.id}`, `/users/me/withdrawals/${body.id}/payout-advice.pdf`]
  const statuses = async (paths: readonly string[], person: Person) =>
    Promise.all(paths.map(async path => (await download(person, path)).status))
  expect(await statuses(ofDeveloper, developer)).toEqual([200, 200])
  expect(await statuses(ofDeveloper, other)).toEqual([404, 404])
  expect(await statuses(ofDeveloper, tester)).toEqual([403, 403])
  expect(await statuses(ofTester, tester)).toEqual([200, 200])
  expect(await statuses(ofTester, another)).toEqual([404, 404])
  expect(await statuses(ofTester, developer)).toEqual([403, 403])
  for (const path of ['statement', 'statement.pdf', 'statement/lines', 'year-summary', 'transactions.csv', 'papers'])
    expect([path, (await download(admin, `/users/me/${path}`)).status]).toEqual([path, 403])
  // A paper by month or year is always the caller's own.
  const mine = await statementOf(developer)
  const theirs = await statementOf(other)
  expect([mine.lines, theirs.lines]).toEqual([3, 0])
})

test('a month without lines and a month with hundreds have statements, the long one over several pages', async () => {
  const tester = await t.signUp('TESTER', { timeZone: 'UTC' })
  const empty = await pdfOf(tester, '/users/me/statement.pdf?month=2025-02')
  expect(empty.text).toContain('No transactions in this month.')
  expect(empty.pages).toHaveLength(1)
  // All earnings of the month at once: the same rows that pay_testers writes for each.
  const each = `generate_series(0, 599) n, lateral (select timestamptz '2025-03-01Z' + n * interval '1 hour' as at) then_at`
  await t.look(
    `select post_transfer('big:' || n, account_of('PLATFORM_REVENUE', null), account_of('TESTER_BALANCE', $1), 100, null, at)
     from ${each}`,
    [tester.user.id],
  )
  await t.look(
    `insert into transactions (user_id, type, status, amount_cents, description, created_at)
     select $1, 'CREDIT', 'COMPLETED', 100, 'Verified test', at from ${each} order by n`,
    [tester.user.id],
  )
  const big = await pdfOf(tester, '/users/me/statement.pdf?month=2025-03')
  expect(big.pages.length).toBeGreaterThan(10)
  expect(big.text.match(/Verified test/g)).toHaveLength(600)
  expect(big.text).toContain('$600.00')
  for (const [index, page] of big.pages.entries()) {
    expect(page).toContain(`Page ${index + 1}`)
    expect(page).toContain('TEST MODE')
  }
  const csv = (await download(tester, '/users/me/transactions.csv?year=2025')).body.toString()
  expect(csv.trimEnd().split('\r\n')).toHaveLength(601)
  expect(csv.trimEnd().split('\r\n').at(-1)).toMatch(/,600\.00$/)
})

const csvOf = async (person: Person, query = '') => {
  const { status, headers, body } = await download(person, `/users/me/transactions.csv${query}`)
  expect([query, status]).toEqual([query, 200])
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(body.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  const [head = '', ...rows] = body.subarray(3).toString().trimEnd().split('\r\n')
  return { head, rows }
}

test('the CSV has a line for each transaction, signed, with a tester’s balance, and no title is a formula', async () => {
  const developer = await t.signUp('DEVELOPER', { timeZone: 'Asia/Tokyo' })
  const { id } = await fundedBy(developer, { title: '=HYPERLINK("x"), Łódź' })
  await developer.call('POST', `/campaigns/${id}/cancel`)
  const { head, rows } = await csvOf(developer)
  expect(head).toBe(
    'Date,Time,Time zone,Type,Description,Campaign,Amount,Currency,Status,Document,Reference,Failure reason',
  )
  const cell = `"'=HYPERLINK(""x""), Łódź"`
  expect(rows.map(row => row.replace(/^[\d-]{10},[\d:]{8},/, '').replace(/,[A-Z]{3}-.*/, ''))).toEqual([
    `Asia/Tokyo,Testers’ pay,Testers’ pay,${cell},-30.00,USD,Completed`,
    `Asia/Tokyo,Platform fee,Platform fee,${cell},-4.50,USD,Completed`,
    `Asia/Tokyo,Refund,Refund,${cell},34.50,USD,Pending`,
  ])
  const { tester } = await earner()
  const ofTester = await csvOf(tester)
  expect(ofTester.head).toMatch(/,Balance$/)
  expect(ofTester.rows).toHaveLength(1)
  expect(ofTester.rows[0]).toMatch(/,30\.00,USD,Completed,.*,30\.00$/)
})

test('the CSV of a span of days includes both ends, in the reader’s time zone; invalid days and years are refused', async () => {
  const developer = await t.signUp('DEVELOPER', { timeZone: 'Pacific/Auckland' })
  await fundedBy(developer)
  const [{ createdAt } = { createdAt: '' }] = await linesOf(developer)
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(Date.parse(createdAt))
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
  const after = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  const count = async (query: string) => (await csvOf(developer, query)).rows.length
  expect(await count(`?from=${day}&to=${day}`)).toBe(2)
  expect(await count(`?from=${after}`)).toBe(0)
  expect(await count(`?to=${before}`)).toBe(0)
  expect(await count(`?year=${day.slice(0, 4)}`)).toBe(2)
  expect(await count('?year=2021')).toBe(0)
  expect(await count(`?year=2021&from=${day}`)).toBe(0)
  for (const wrong of ['?year=21', '?from=2026-02-30', `?from=${after}&to=${before}`])
    expect([wrong, (await download(developer, `/users/me/transactions.csv${wrong}`)).status]).toEqual([wrong, 400])
  for (const wrong of [
    'statement?month=2026-13',
    'statement.pdf?month=x',
    'statement?month=9999-12',
    'year-summary?year=1999',
    'transactions.csv?year=9999',
  ])
    expect([wrong, (await download(developer, `/users/me/${wrong}`)).status]).toEqual([wrong, 400])
})

test('there is no paper for a month or year that has not begun', async () => {
  const developer = await t.signUp('DEVELOPER')
  const thisYear = new Date().getUTCFullYear()
  for (const [path, field] of [
    [`statement?month=${thisYear + 1}-12`, 'month'],
    ['statement?month=2999-01', 'month'],
    [`year-summary?year=${thisYear + 2}`, 'year'],
  ] as const)
    expect(await developer.call('GET', `/users/me/${path}`)).toMatchObject({
      status: 400,
      body: { fields: { [field]: `This ${field} has not begun.` } },
    })
  for (const path of [`statement.pdf?month=${thisYear + 1}-12`, `statement/lines?month=${thisYear + 1}-12`])
    expect([path, (await download(developer, `/users/me/${path}`)).status]).toEqual([path, 400])
})
