/** Participations: a tester's place in a campaign, the spec's "campaign tester" (spec §3, §7; product.md §3). */
import { reviewEndpoints } from './reviewEndpoints.ts'
import { testingEndpoints } from './testingEndpoints.ts'

export {
  AppealCase,
  CampaignTester,
  CheckIn,
  ContestedOptIn,
  DayCode,
  type DropReason,
  OpenedLink,
  ParticipationAction,
  ParticipationStatus,
  RejectionCode,
  RejectionConsent,
  VerifyResult,
  WaitingAppeal,
  WaitingRejection,
} from './entities.ts'
export { CheckInBody, DeviceInfo, Joining, Leaving, NewAppeal, NewCheckIn, Proof } from './inputs.ts'

export const participationApi = { ...testingEndpoints, ...reviewEndpoints }
