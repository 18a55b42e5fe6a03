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
  accounts: 'Registration, sign-in, sessions, the caller’s own profile.',
  secondFactor: 'Passkeys, authenticator apps and recovery codes: setting them up, and proving one.',
  people: 'Users, as admins see them.',
  notifications: 'What the caller is told.',
  events: 'What has changed for the caller, as it happens.',
  attachments: 'Files that are uploaded, and then attached to a proof, a check-in, an opt-in or a bug.',
  campaigns: 'Campaigns from draft to completed.',
  continuity: 'Who is opted in to a closed test without a break, and from when on its developer can apply.',
  reports: 'What was recorded of a campaign, for Google’s form for production access.',
  activity: 'What happened to a campaign, and to the tests in it.',
  participations: 'A tester’s place in a campaign: join, check in, submit a proof, review.',
  bugs: 'Bugs that testers report, the thread of each, and what is decided on them.',
  changes: 'The change log: versions of the app, what each changes, and the bugs and feedback that this answers.',
  feedback: 'Feedback forms: what testers are asked with the proof, and what they answered.',
  reputation: 'What testers and developers have shown of themselves, for each other before they commit.',
  testerLists: 'Who is to be on the developer’s list in Play Console: what changed, its exports, their confirmation.',
  ledger: 'Balance, withdrawals, payments, refunds.',
  disputes: 'Payments that a developer’s bank takes back, or asks to.',
  stuckRefunds: 'Refunds that the payment provider refuses for good: tried again, or paid by other means.',
  escrow: 'Money that has been in escrow for too long, and what admins decide.',
  papers: 'Papers for bookkeeping: PDFs, monthly statements, what taxes ask for by year, and CSV.',
  books: 'The accounts of the ledger, with their balance after any past transfer.',
  operations: 'Whether the data is right and the jobs keep up.',
  dashboards: 'Figures.',
  audit: 'What admins did.',
  settings: 'What admins can set.',
  fraud: 'Fraud reports and scans.',
  landing: 'The waitlist.',
  nda: 'The NDAs that testers accept before they get the app.',
  testClock: 'The clock of a server that is being tested.',
}

export const tagOf = (name: string): { name: string; description: string } => {
  const description = descriptions[name]
  if (description === undefined) throw new Error(`Describe the table ${name} in src/app/server/openapi/contracts.ts`)
  return { name, description }
}
