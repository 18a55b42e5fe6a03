import { client } from '../../kit/web/api.ts'
import type { ledgerApi, Transaction } from '../contract.ts'

export const api = client<typeof ledgerApi>('ledger')

const isPending = ({ status }: Transaction) => status === 'PENDING'

/** Asked again every few seconds only while the provider still works on something. */
export const whilePending = (transactions: readonly Transaction[] | undefined) =>
  transactions?.some(isPending) ? 3000 : false
