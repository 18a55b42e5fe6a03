/**
 * What the page's client needs to know for each call of every contract. The build and `npm run dev` replace this file with its
 * values (build/endpointTable.ts), so that the page contains neither contracts nor zod.
 */
import { accountApi } from '../../accounts/contract.ts'
import { secondFactorApi } from '../../accounts/secondFactorContract.ts'
import { peopleApi } from '../../people/contract.ts'
import { attachmentApi } from '../../attachments/contract.ts'
import { auditApi } from '../../audit/contract.ts'
import { operationsApi } from '../../operations/contract.ts'
import { settingsApi } from '../../settings/contract.ts'
import { activityApi } from '../../activity/contract.ts'
import { booksApi } from '../../books/contract.ts'
import { bugApi } from '../../bugs/contract.ts'
import { campaignApi } from '../../campaigns/contract.ts'
import { changeApi } from '../../changes/contract.ts'
import { continuityApi } from '../../continuity/contract.ts'
import { dashboardApi } from '../../dashboards/contract.ts'
import { feedbackApi } from '../../feedback/contract.ts'
import { fraudApi } from '../../fraud/contract.ts'
import { landingApi } from '../../landing/contract.ts'
import { ledgerApi } from '../../ledger/contract.ts'
import { escrowApi } from '../../campaigns/escrowContract.ts'
import { disputesApi } from '../../ledger/disputesContract.ts'
import { stuckRefundsApi } from '../../ledger/stuckRefundsContract.ts'
import { papersApi } from '../../ledger/papersContract.ts'
import { notificationApi } from '../../notifications/contract.ts'
import { ndaApi } from '../../nda/contract.ts'
import { participationApi } from '../../participations/contract.ts'
import { testerListApi } from '../../testerLists/contract.ts'
import { reportApi } from '../../reports/contract.ts'
import { reputationApi } from '../../reputation/contract.ts'
import type { Endpoint } from '../../kit/endpoint.ts'
import type { CallRow, CallTable } from '../../kit/web/api.ts'

const contracts = {
  accounts: accountApi,
  activity: activityApi,
  attachments: attachmentApi,
  audit: auditApi,
  books: booksApi,
  bugs: bugApi,
  campaigns: campaignApi,
  changes: changeApi,
  continuity: continuityApi,
  dashboards: dashboardApi,
  feedback: feedbackApi,
  fraud: fraudApi,
  landing: landingApi,
  ledger: ledgerApi,
  nda: ndaApi,
  notifications: notificationApi,
  participations: participationApi,
  people: peopleApi,
  reports: reportApi,
  reputation: reputationApi,
  secondFactor: secondFactorApi,
  operations: operationsApi,
  disputes: disputesApi,
  stuckRefunds: stuckRefundsApi,
  escrow: escrowApi,
  papers: papersApi,
  settings: settingsApi,
  testerLists: testerListApi,
}

const answersOf = ({ reply, pageOf, numbered, file }: Endpoint): CallRow[2] => {
  if (file) return 'file'
  if (pageOf) return numbered ? 'numbered' : 'page'
  return reply ? '' : 'nothing'
}

const rowOf = (endpoint: Endpoint): CallRow => [
  endpoint.method,
  endpoint.path,
  answersOf(endpoint),
  endpoint.access === 'PUBLIC' ? 1 : 0,
  endpoint.idempotent ? 1 : 0,
]

const callsOf = (contract: Record<string, Endpoint>): Record<string, CallRow> =>
  Object.fromEntries(Object.entries(contract).map(([name, endpoint]) => [name, rowOf(endpoint)]))

/** By contract and endpoint name. Plain values only, because they are serialized. */
export const endpointTable: CallTable = Object.fromEntries(
  Object.entries(contracts).map(([name, contract]) => [name, callsOf(contract)]),
)
