/**
 * Mutants that are left out because no test can tell them from the original, or only the machine's clock could. Each has a
 * reason; keep this list short, and prefer a test.
 */
type Change = { path: string; operator: string; before: string; after: string; text: string }

type Equivalent = {
  /** The end of the path, starting with a slash. */
  path?: string
  operator?: string
  before?: string
  after?: string
  /** Matches the line on which the mutant begins. */
  text?: RegExp
  why: string
}

const equivalents: Equivalent[] = [
  {
    operator: 'number',
    text: /\b(waitMs|waitedMs|stepMs|leaveMs|longestMs|busyWaitMs|shutDownMs|timeoutMs|connectTimeoutMs|socketTimeout|forMs|timeout|requestTimeout|gcTime|staleTime|retryDelay|refetchInterval|maxRetries)\b/,
    why: 'How long a wait or a cache lasts: the exact millisecond is not guaranteed, and a test would measure the machine.',
  },
  {
    operator: 'number',
    text: /\b(atOnce|\w+AtOnce|expireMinutes)\b/,
    why: 'How many are processed at once, and when a job is considered dead: neither is guaranteed.',
  },
  {
    path: '/kit/downtimes.ts',
    operator: 'comparison',
    text: /a\.from < b\.from/,
    why: 'If two downtimes begin at the same time, one contains the other, so their order does not matter.',
  },
  {
    path: '/server/migrate.ts',
    operator: 'number',
    text: /lockKey/,
    why: 'Any number works, as long as every server uses the same one.',
  },
  {
    path: '/fraud/samples.ts',
    operator: 'number',
    why: 'Invented facts of sample reports: any other number is just as good.',
  },
  {
    operator: 'number',
    text: /\blimit: 100\b/,
    why: 'The page size of a list from a provider, all of whose pages are read.',
  },
  {
    path: '/server/sandboxFile.ts',
    operator: 'call removed',
    text: /file\.sync\(\)/,
    why: 'Makes a difference only after a power failure.',
  },
  {
    path: '/stripe/movements.ts',
    operator: 'list element removed',
    text: /'data\.source'/,
    why: 'The parents of an expanded field are expanded as well; naming them only helps the reader.',
  },
  {
    path: '/server/sandboxFile.ts',
    operator: 'await removed',
    text: /holdSandboxFile/,
    why: 'A connection executes statements in the order sent, even if nobody waits in between.',
  },
  {
    path: '/stripe/sweep.ts',
    operator: 'rounding, min and max',
    why: 'Each fetch overlaps with the previous one by days, so a second less does not matter.',
  },
  {
    path: '/stripe/charges.ts',
    operator: 'comparison',
    before: '<',
    after: '<=',
    text: /begunAt < sentAt \? begunAt : sentAt/,
    why: 'If both times are equal, the result is the same.',
  },
  {
    path: '/settled_sequence.sql',
    operator: 'comparison in SQL',
    text: /exit when oldest/,
    why: 'It checks more often, but returns the same.',
  },
  {
    path: '/183-passed-before-pauses.sql',
    operator: 'update assignment removed',
    before: 'told = false,',
    why: 'Only entries with an offer are asked for it, and each offer sets it.',
  },
  {
    path: '/close_seats.sql',
    operator: 'order reversed',
    text: /order by id, place/,
    why: 'The order of campaigns does not matter, only which place of each comes first.',
  },
  {
    path: '/server/digests.queries.ts',
    operator: 'part of a condition removed in SQL',
    text: /u\.deleted_at is null/,
    why: 'Deleting an account deletes its notifications and digests in the same transaction, so none is left to send.',
  },
  {
    path: '/server/unsubscribe.queries.ts',
    operator: 'part of a condition removed in SQL',
    text: /and before_off = \$\{period\} and delivery = 'IN_APP'/,
    why: 'Only what was turned off has an earlier choice: every other change of a choice removes it.',
  },
  {
    path: '/events/server/queries.ts',
    operator: 'where removed',
    text: /update user_events_forgotten set up_to = last\.tx/,
    why: 'Events are deleted in the order of their transactions, so the last one deleted is later than all before it.',
  },
  {
    path: '/attachments/server/queries.ts',
    operator: 'part of a condition removed in SQL',
    before: "a.kind <> 'BUG'",
    why: 'It spares reading files that evidence.ts would leave out, because it picks each kind by its name.',
  },
  {
    path: '/attachments/server/queries.ts',
    operator: 'part of a condition removed in SQL',
    before: 'id <> all(${except})',
    why: 'The files that it spares are attached again at once, in the same transaction.',
  },
  {
    path: '/attachments/server/queries.ts',
    operator: 'part of a condition removed in SQL',
    before: 'created_at > ${since}',
    text: /from gone where/,
    why: 'Older ones count toward nothing, and the next sweep deletes them.',
  },
  {
    path: '/attachments/server/queries.ts',
    operator: 'part of a condition removed in SQL',
    text: /a\.kind = 'BUG' and exists/,
    why: 'Whatever else is attached to a test was uploaded by its tester, who sees it anyway.',
  },
  {
    operator: 'await removed',
    text: /feedback_forms set questions|user\.paymentMethod === email/,
    why: 'A transaction executes statements in the order sent, and fails as a whole with each of them.',
  },
  {
    path: '/accounts/server/ownSessions.ts',
    operator: 'await removed',
    text: /purposes: \['CHANGE_EMAIL'\]/,
    why: 'The same.',
  },
  {
    path: '/server/dueJobs.ts',
    operator: 'where removed',
    text: /state in \('created', 'retry'\)`\)/,
    why: 'Nothing asks when a job was due that has begun or ended.',
  },
  {
    path: '/server/dueJobs.ts',
    operator: 'call removed',
    text: /await wait\(20\)/,
    why: 'It only spares looking again at once.',
  },
  {
    path: '/participations/server/rows.ts',
    operator: 'coalesce removed',
    text: /p\.status = 'SUBMITTED'/,
    why: 'The rules look only for WAITING and REFUSED, so null means the same as NONE.',
  },
  {
    path: '/participations/server/rows.ts',
    operator: 'enum value replaced in SQL',
    text: /'NONE'\) as contest/,
    why: 'Without a run the tester is not opted in, and the rules ask for a contest only of those who are.',
  },
  {
    path: '/accounts/server/deleting.queries.ts',
    operator: 'order reversed',
    text: /funded_cents \+ fee_cents = 0 order by id/,
    why: 'Nothing shows in which order the drafts are cancelled; it only makes deadlocks rarer, which are retried.',
  },
  {
    path: '/testerLists/server/queries.ts',
    operator: 'union/union all swapped',
    text: /as change union all select unnest/,
    why: 'Each tester is added or removed, and only once, so there are no duplicates to remove.',
  },
  {
    path: '/operations/server/changes.queries.ts',
    operator: 'union/union all swapped',
    text: /union select campaign_id from participations/,
    why: 'The next union removes duplicates from both.',
  },
  {
    path: '/043-figure-changes.sql',
    operator: 'guard removed in SQL',
    text: /not exists \(select from added\) then/,
    why: 'Where nothing was added, there is nothing to insert and no campaign to count; it spares asking.',
  },
  {
    path: '/participations/server/bench.queries.ts',
    operator: 'part of a condition removed in SQL',
    text: /where taken_back and taken_back_told_at is null/,
    why: 'Only seats that were taken back are then marked, and only the testers of marked ones are told.',
  },
  {
    path: '/dashboards/server/platform.queries.ts',
    operator: 'comparison',
    text: /if \(from < hour\)/,
    why: 'If both are the same, there is nothing between them to add.',
  },
  {
    path: '/kit/server/encryption.ts',
    operator: 'part of a condition removed',
    before: 'sealed.length < headerBytes + nonceBytes + tagBytes || sealed[0] !== formatVersion',
    why: 'What remains is refused as well: cut short it has no valid seal, and the seal covers the version.',
  },
  {
    path: '/participations/server/review.ts',
    operator: 'await removed',
    text: /await Promise\.all/,
    why: 'A transaction executes statements in the order sent, and fails as a whole with each of them.',
  },
  {
    path: '/retention/server/queries.ts',
    operator: 'await removed',
    text: /set local lock_timeout/,
    why: 'The same.',
  },
  {
    path: '/fraud/server/queries.ts',
    operator: 'comparison',
    text: /kinds\.length > 0 \?/,
    why: 'No kind equals any of an empty list, so the condition only saves work.',
  },
  {
    path: '/accounts/server/passwords.ts',
    operator: 'property removed',
    before: 'timeCost: 2, ',
    why: 'The default of the hashing package is the same; the tests hold what a hash says.',
  },
  {
    path: '/app/web/firstRequests.ts',
    operator: 'property removed',
    text: /gcTime: Infinity/,
    why: 'Without a window, the default of the library is the same.',
  },
  {
    path: '/audit/web/keys.ts',
    operator: 'list element removed',
    text: /'log', query/,
    why: 'The slice has only this query, so its key is unique without the name.',
  },
  {
    path: '/campaigns/server/escrow.ts',
    operator: 'number',
    before: '1',
    after: '2',
    text: /limit: limit \+ 1, after/,
    why: 'One more row is read, and never shown: whether there are more than the limit stays the same.',
  },
  {
    path: '/accounts/server/factorAnswers.ts',
    operator: 'await removed',
    text: /if \(isCode\) await challenges\.insertGuess/,
    why: 'A transaction executes statements in the order sent, and fails as a whole with each of them.',
  },
]

export const isEquivalent = (change: Change): boolean =>
  equivalents.some(
    ({ path, operator, before, after, text }) =>
      (path === undefined || `/${change.path}`.endsWith(path)) &&
      (operator === undefined || operator === change.operator) &&
      (before === undefined || before === change.before) &&
      (after === undefined || after === change.after) &&
      (text === undefined || text.test(change.text)),
  )
