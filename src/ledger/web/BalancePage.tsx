import { useQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useMe } from '../../accounts/web/face.tsx'
import { formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { paidAtProvider } from '../../kit/web/paidAtProvider.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/laterPart.ts'
import type { Balance, PayoutAccount, Transaction } from '../contract.ts'
import { AllTransactions } from './AllTransactions.tsx'
import { availableLabel, onTheWayWords, WithdrawFrame, withdrawalsGoTo } from './balanceFrames.tsx'
import { FigureLink } from './FigureLink.tsx'
import { useHolds } from './Holds.tsx'
import { PayoutDestination, WithPayoutAccount } from './PayoutDestination.tsx'
import { TransactionTable } from './TransactionTable.tsx'
import { balanceQuery, payoutAccountQuery } from './calls.ts'
import { balanceHead } from './heads.ts'
import { BalanceShell } from './shells.tsx'
import { useStatementFilter } from './statementFilter.ts'

const loadingForm = <Skeleton className="h-28" />
const WithdrawalForm = startedPart(async () => (await import('./WithdrawalForm.tsx')).WithdrawalForm, loadingForm)

export const BalancePage = () => {
  const balance = useQuery(balanceQuery)
  return (
    <>
      <PageHeader {...balanceHead} />
      <Query of={balance} loading={<BalanceShell />} errorTitle="Failed to load balance">
        {loaded => (
          <div className="grid gap-5">
            <Figures of={loaded} />
            <WithPayoutAccount>
              {account => (
                <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
                  <Withdraw balance={loaded} account={account} />
                  <PayoutDestination account={account} />
                </div>
              )}
            </WithPayoutAccount>
            <Transactions recent={loaded.recentTransactions} />
          </div>
        )}
      </Query>
    </>
  )
}

const captionOf = ({ balanceCents, minimumWithdrawalCents }: Balance, account: PayoutAccount | undefined) => {
  const least = Math.max(minimumWithdrawalCents, account?.minimumCents ?? 0)
  if (account?.needed && account.status !== 'READY') return 'You can withdraw once your payout account is ready'
  if (balanceCents > 0 && balanceCents < least) return `Below the minimum withdrawal of ${formatCents(least)}`
  return 'Available to withdraw'
}

const Figures = ({ of }: { of: Balance }) => {
  const { balanceCents, onTheWayCents, holds } = of
  const { filter } = useStatementFilter()
  // The form beside it asks for the account.
  const account = useQuery({ ...payoutAccountQuery, enabled: paidAtProvider() })
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <FigureLink
        label={availableLabel}
        cents={balanceCents}
        caption={useHolds(holds).length > 0 ? 'Withdrawals are on hold' : captionOf(of, account.data)}
        lines={{ type: null, status: null }}
        shown={filter}
      />
      <FigureLink
        {...onTheWayWords}
        cents={onTheWayCents}
        lines={{ type: 'PAYOUT', status: 'PENDING' }}
        shown={filter}
      />
    </div>
  )
}

const Withdraw = ({ balance, account }: { balance: Balance; account: PayoutAccount | null }) => {
  const me = useMe()
  return (
    <WithdrawFrame description={withdrawalsGoTo(account)}>
      <Query of={me} loading={loadingForm} errorTitle="Failed to load your payment method">
        {user => <WithdrawalForm balance={balance} user={user} account={account} />}
      </Query>
    </WithdrawFrame>
  )
}

const cardTitle = (all: boolean, filtered: boolean) => {
  if (filtered) return 'Transactions'
  return all ? 'All transactions' : 'Recent transactions'
}

/** The newest transactions, or the page and filter in the URL. */
const Transactions = ({ recent }: { recent: Transaction[] }) => {
  const { filter, filtered, turn, clear } = useStatementFilter()
  const all = filtered || filter.at !== null
  return (
    <Card
      title={cardTitle(all, filtered)}
      flush
      action={
        recent.length > 0 && (
          <span className="flex flex-wrap gap-2">
            <ButtonLink variant="outline" size="sm" to={paths.statements}>
              Statements
            </ButtonLink>
            <Button variant="outline" size="sm" onClick={all ? clear : () => turn({ page: 1 })}>
              {all ? 'Recent only' : 'View all'}
            </Button>
          </span>
        )
      }
    >
      {all && <AllTransactions empty={<NothingEarned />} />}
      {!all && recent.length > 0 && <TransactionTable transactions={recent} />}
      {!all && recent.length === 0 && (
        <div className="p-5">
          <NothingEarned />
        </div>
      )}
    </Card>
  )
}

const NothingEarned = () => (
  <EmptyState
    icon={<Wallet aria-hidden />}
    title="No transactions yet"
    hint="Your earnings appear here once one of your tests is verified."
    action={
      <ButtonLink variant="outline" to={paths.campaigns}>
        Browse Campaigns
      </ButtonLink>
    }
  />
)
