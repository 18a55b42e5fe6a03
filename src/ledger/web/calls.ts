import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { client } from '../../kit/web/api.ts'
import { orEmptyPage } from '../../kit/web/numbered.ts'
import { pagesOf } from '../../kit/web/query.ts'
import type { ledgerApi, PaymentOnTheWay, PayoutApproval, Transaction } from '../contract.ts'
import { ledgerKeys } from './keys.ts'
import { type StatementFilter, pageSize } from './statementFilter.ts'

export const api = client<typeof ledgerApi>('ledger')

const isPending = ({ status }: Transaction) => status === 'PENDING'

/** Polls every few seconds while the provider is still processing something. */
const whilePending = (transactions: readonly Transaction[] | undefined) =>
  transactions?.some(isPending) ? 3000 : false

/** A payment is shown as one line that includes its fee; the fee is a line of its own only in the list of fees. */
const linesOf = (type: StatementFilter['type']) => {
  if (type === null) return 'DEBIT,CREDIT,PAYOUT'
  return type === 'DEBIT,FEE' ? 'DEBIT' : type
}

/** A page of the statement. */
export const transactionsQuery = (filter: StatementFilter) => {
  const { at, type, status, campaign } = filter
  const query = {
    ...at,
    limit: pageSize,
    type: linesOf(type),
    ...(status && { status }),
    ...(campaign !== null && { campaignId: campaign }),
  }
  return queryOptions({
    queryKey: ledgerKeys.transactions(filter),
    queryFn: ({ signal }) => orEmptyPage(api.transactions({ query, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whilePending(state.data?.data),
  })
}

/** Payouts that wait for two admins. */
export const approvalPages = pagesOf<PayoutApproval>(ledgerKeys.approvals, ({ cursor, signal }) =>
  api.payoutApprovals({ query: { cursor, limit: 20 }, signal }),
)

/** A bank may take days to collect a payment; an event reports the result. */
const isSoonKnown = ({ isUnfinished, createdAt }: PaymentOnTheWay) =>
  !isUnfinished && createdAt > hoursAfter(clock.now(), -1)

/** A developer's totals. */
export const summaryQuery = queryOptions({
  queryKey: ledgerKeys.summary,
  queryFn: ({ signal }) => api.paymentSummary({ signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.onTheWayBackCents || data?.paymentsOnTheWay?.some(isSoonKnown) ? 3000 : false,
})

/** One payment, for its receipt. */
export const paymentQuery = (id: string) =>
  queryOptions({ queryKey: ledgerKeys.payment(id), queryFn: ({ signal }) => api.payment({ params: { id }, signal }) })

/** One refund, for its credit note. */
export const refundQuery = (id: string) =>
  queryOptions({
    queryKey: ledgerKeys.refund(id),
    queryFn: ({ signal }) => api.refund({ params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? 3000 : false),
  })

/** A tester's balance. */
export const balanceQuery = queryOptions({
  queryKey: ledgerKeys.balance,
  queryFn: ({ signal }) => api.balance({ signal }),
  refetchInterval: ({ state }) => (state.data?.onTheWayCents ? 3000 : whilePending(state.data?.recentTransactions)),
})

/** Where a tester's withdrawals go. It seldom changes, and then an event reports it. */
export const payoutAccountQuery = queryOptions({
  queryKey: ledgerKeys.payoutAccount,
  queryFn: ({ signal }) => api.payoutAccount({ signal }),
})
