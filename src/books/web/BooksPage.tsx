import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { BookOpenText } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { useUrlFilters } from '../../kit/web/urlFilters.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { StatCard } from '../../kit/web/ui/Card.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery, Query } from '../../kit/web/ui/Query.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { Account, AccountLine } from '../contract.ts'
import { booksReaders } from './booksFilters.ts'
import { accountQuery, accountsQuery, statementPages } from './calls.ts'
import { accountLabel, TransfersFrame } from './frames.tsx'
import { booksHead } from './heads.ts'
import { transferWords } from '../transferWords.ts'
import { UpTo } from './UpTo.tsx'
import { codeInWords, grouped } from '../../kit/words.ts'

/** An account of the platform, a campaign or a tester, and its transfers up to any chosen one. */
export const BooksPage = () => {
  const { filters } = useUrlFilters(booksReaders)
  const accounts = useQuery(accountsQuery(filters.owner))
  return (
    <>
      <PageHeader {...booksHead} />
      <Query
        of={accounts}
        loading={<SkeletonList count={8} className="h-11" />}
        errorTitle="Failed to load the accounts"
        isEmpty={({ accounts: all }) => all.length === 0}
        empty={<NoAccounts />}
      >
        {({ accounts: all }) => <Accounts of={all} />}
      </Query>
    </>
  )
}

const NoAccounts = () => (
  <EmptyState
    title="No accounts yet"
    hint="An account appears here once it receives money."
    icon={<BookOpenText aria-hidden />}
    action={
      <ButtonLink variant="outline" to={paths.books}>
        The platform’s own accounts
      </ButtonLink>
    }
  />
)

const Accounts = ({ of }: { of: readonly Account[] }) => {
  const { filters, change } = useUrlFilters(booksReaders)
  const first = of[0]!
  const { owner } = first
  const { id: chosen } = of.find(({ id }) => id === filters.account) ?? first
  return (
    <>
      {owner && (
        <p className="mb-3 wrap-anywhere">
          Accounts of{' '}
          <Link
            className="text-link underline"
            to={owner.type === 'CAMPAIGN' ? paths.campaign(owner.id) : paths.user(owner.id)}
          >
            {owner.name}
          </Link>
          {' · '}
          <Link className="text-link underline" to={paths.books}>
            The platform’s own accounts
          </Link>
        </p>
      )}
      <Toolbar>
        <FieldFrame label={accountLabel} className="sm:w-64">
          {wiring => (
            <Select
              {...wiring}
              options={of.map(account => ({ value: String(account.id), label: codeInWords(account.kind) }))}
              value={String(chosen)}
              onValue={value => change({ account: Number(value) })}
            />
          )}
        </FieldFrame>
        <UpTo value={filters.upTo} onChange={upTo => change({ upTo })} />
      </Toolbar>
      <Statement id={chosen} upTo={filters.upTo} />
    </>
  )
}

/** Says which balance is shown. If the requested transfer does not exist yet or is not final, the newest available one is used. */
const asOf = ({ upTo }: Account, asked: number | null) => {
  const last = `transfer ${grouped(upTo)}`
  if (asked === null) return `After ${last}, the latest`
  return upTo < asked ? `As of ${last}, the latest one` : `As it was after ${last}`
}

const Statement = ({ id, upTo }: { id: number; upTo: number | null }) => {
  const account = useQuery(accountQuery(id, upTo))
  const lines = useInfiniteQuery(statementPages(id, upTo))
  return (
    <div className="grid gap-5">
      <Query of={account} loading={<SkeletonList count={1} className="h-24" />} errorTitle="Failed to load the account">
        {of => (
          <StatCard label={codeInWords(of.kind)} value={<Money cents={of.balanceCents} />} caption={asOf(of, upTo)} />
        )}
      </Query>
      <TransfersFrame>
        <InfiniteQuery
          of={lines}
          loading={
            <div className="p-5">
              <SkeletonList count={8} className="h-9" />
            </div>
          }
          errorTitle="Failed to load the transfers"
          empty={
            <p className="px-5 py-4 text-muted-foreground">
              {upTo === null
                ? 'No transfers to or from this account yet.'
                : 'No transfers to or from this account by then.'}
            </p>
          }
        >
          {items => <Table caption="Transfers" columns={columns} rows={items} keyOf={line => String(line.sequence)} />}
        </InfiniteQuery>
      </TransfersFrame>
    </div>
  )
}

/** The transfer's number, which links to the account as it was after it; what it is for; and its key. */
const Transfer = ({ line: { sequence, key } }: { line: AccountLine }) => {
  const [params] = useSearchParams()
  const to = new URLSearchParams(params)
  to.set('upTo', String(sequence))
  const what = key.replace(/:.*/, '')
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-3">
        <Link
          className="text-link underline tabular-nums"
          aria-label={`${sequence}: the account as it was after this transfer`}
          to={`?${to.toString()}`}
        >
          {sequence}
        </Link>
        {transferWords(what)}
      </span>
      <span className="block font-mono text-xs font-normal text-muted-foreground wrap-anywhere">{key}</span>
    </>
  )
}

const OtherAccount = ({ of: { id, kind, owner } }: { of: AccountLine['other'] }) => (
  <>
    <Link className="text-link underline" to={paths.booksAccount(owner?.id ?? null, String(id))}>
      {codeInWords(kind)}
    </Link>
    {owner && <span className="block text-xs text-muted-foreground">{owner.name}</span>}
  </>
)

const Moved = ({ cents }: { cents: number }) => <Money cents={Math.abs(cents)} sign={cents < 0 ? '−' : '+'} />

const columns: Column<AccountLine>[] = [
  { head: 'Transfer', primary: true, cell: line => <Transfer line={line} /> },
  { head: 'Other account', className: 'lg:whitespace-nowrap', cell: line => <OtherAccount of={line.other} /> },
  { head: 'Date', cell: line => <DateTime at={line.at} withTime /> },
  { head: 'Amount', align: 'right', cell: line => <Moved cents={line.amountCents} /> },
  { head: 'Balance', align: 'right', cell: line => <Money cents={line.balanceAfterCents} /> },
]
