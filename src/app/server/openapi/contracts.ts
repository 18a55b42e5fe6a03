/** The contracts from which the document takes its shared schemas and tags. */
import * as accounts from '../../../accounts/contract.ts'
import * as secondFactor from '../../../accounts/secondFactorContract.ts'
import * as activity from '../../../activity/contract.ts'
import * as attachments from '../../../attachments/contract.ts'
import * as audit from '../../../audit/contract.ts'
import * as books from '../../../books/contract.ts'
import * as bugs from '../../../bugs/contract.ts'
import * as campaigns from '../../../campaigns/contract.ts'
import * as changes from '../../../changes/contract.ts'
import * as continuity from '../../../continuity/contract.ts'
import * as dashboards from '../../../dashboards/contract.ts'
import * as events from '../../../events/contract.ts'
import * as feedback from '../../../feedback/contract.ts'
import * as fraud from '../../../fraud/contract.ts'
import * as nda from '../../../nda/contract.ts'
import * as landing from '../../../landing/contract.ts'
import * as ledger from '../../../ledger/contract.ts'
import * as escrow from '../../../campaigns/escrowContract.ts'
import * as disputes from '../../../ledger/disputesContract.ts'
import * as stuckRefunds from '../../../ledger/stuckRefundsContract.ts'
import * as papers from '../../../ledger/papersContract.ts'
import * as notifications from '../../../notifications/contract.ts'
import * as participations from '../../../participations/contract.ts'
import * as operations from '../../../operations/contract.ts'
import * as people from '../../../people/contract.ts'
import * as playAddresses from '../../../playAddresses/contract.ts'
import * as reputation from '../../../reputation/contract.ts'
import * as reports from '../../../reports/contract.ts'
import * as settings from '../../../settings/contract.ts'
import * as testerLists from '../../../testerLists/contract.ts'

/** Their exported schemas become components of the same name. */
export const contracts: { file: string; exports: Record<string, unknown> }[] = Object.entries({
  accounts,
  activity,
  attachments,
  audit,
  books,
  bugs,
  campaigns,
  changes,
  continuity,
  dashboards,
  events,
  feedback,
  reputation,
  fraud,
  landing,
  nda,
  ledger,
  notifications,
  operations,
  participations,
  people,
  playAddresses,
  reports,
  settings,
  testerLists,
})
  .map(([slice, exports]) => ({ file: `src/${slice}/contract.ts`, exports: exports as Record<string, unknown> }))
  .concat(
    { file: 'src/accounts/secondFactorContract.ts', exports: secondFactor },
    { file: 'src/ledger/papersContract.ts', exports: papers },
    { file: 'src/ledger/disputesContract.ts', exports: disputes },
    { file: 'src/ledger/stuckRefundsContract.ts', exports: stuckRefunds },
    { file: 'src/campaigns/escrowContract.ts', exports: escrow },
  )

const descriptions: Record<string, string> = {
  accounts: 'Registration, sign-in, sessions and the caller’s own profile.',
  secondFactor: 'Passkeys, authenticator apps and recovery codes: setting them up and using them.',
  people: 'Users, as admins see them.',
  notifications: 'The caller’s notifications, and how they are delivered.',
  events: 'What has changed for the caller, as it happens.',
  attachments: 'Files that are uploaded and then attached to a proof, check-in, opt-in, appeal or bug.',
  campaigns: 'Campaigns, from draft to completion.',
  continuity: 'Who has been opted in to a closed test without a break, and when its developer can apply.',
  reports: 'What was recorded about a campaign, for Google’s production access form.',
  activity: 'What happened to a campaign and its tests.',
  participations: 'A tester’s place in a campaign: join, check in, submit a proof, review.',
  bugs: 'Bugs reported by testers, with their threads and the decisions on them.',
  changes:
    'The change log: versions of the app, what each one changes, and the bugs and feedback that these changes answer.',
  feedback: 'Feedback forms: what testers are asked when they submit their proof, and their answers.',
  reputation: 'The track records of testers and developers, for each other before they commit.',
  testerLists: 'Who should be on the developer’s list in Play Console: changes, exports and their confirmation.',
  ledger: 'Balance, withdrawals, payments and refunds.',
  disputes: 'Payments that a developer’s bank disputes or has taken back.',
  stuckRefunds: 'Refunds that the payment provider refuses for good: retrying them, or paying them by other means.',
  escrow: 'Money that has been in escrow for too long, and admins’ decisions on it.',
  papers: 'Papers for bookkeeping: PDFs, monthly statements, yearly tax summaries, and CSV.',
  books: 'The accounts of the ledger, with their balance after any past transfer.',
  operations: 'Whether the data is correct and the jobs are keeping up.',
  dashboards: 'Figures for the dashboards.',
  audit: 'The audit log of admins’ actions.',
  settings: 'The settings that admins can change.',
  fraud: 'Fraud reports and scans.',
  landing: 'The waitlist.',
  nda: 'NDAs that testers accept before they get access to the app.',
  testClock: 'The clock of a server under test.',
}

export const tagOf = (name: string): { name: string; description: string } => {
  const description = descriptions[name]
  if (description === undefined) throw new Error(`Describe the table ${name} in src/app/server/openapi/contracts.ts`)
  return { name, description }
}
