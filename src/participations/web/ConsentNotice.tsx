/** A rejection that needs an admin's consent, as the developer sees it: before it is requested, and its outcome. */
import { useQuery } from '@tanstack/react-query'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import { useUser } from '../../kit/web/user.ts'
import type { CampaignTester, RejectionConsent } from '../contract.ts'
import { consentQuery } from './calls.ts'

/** Null for admins, and while it is not known. */
export const useConsent = (): RejectionConsent | null => {
  const isDeveloper = useUser().role === 'DEVELOPER'
  return useQuery({ ...consentQuery, enabled: isDeveloper }).data ?? null
}

export const consentWhy = ({ overturned, of }: RejectionConsent): string =>
  `Admins overturned ${of === 1 ? 'your last rejection' : `${overturned} of your last ${of} rejections`}, so an admin has to consent to this one.`

export const ConsentNotice = ({ of: test }: { of: CampaignTester }) => {
  const { consentRequest: request, deadlineAt, status, actions } = test
  const mayRequestChanges = actions.includes('requestChanges')
  const consent = useConsent()
  if (status !== 'SUBMITTED') return null
  if (request?.outcome === null)
    return (
      <Alert tone="yellow" className="mb-4" title="An admin decides on your rejection">
        <p className="whitespace-pre-wrap wrap-anywhere">{request.reason}</p>
        {deadlineAt && (
          <p>
            Without consent by <DateTime at={deadlineAt} withTime />, the proof is auto-verified. You can still verify
            it{mayRequestChanges && ' or request changes'}.
          </p>
        )}
      </Alert>
    )
  if (request?.outcome === 'REFUSED' && !actions.includes('reject'))
    return (
      <Alert className="mb-4" title="An admin did not consent to your rejection">
        <p className="whitespace-pre-wrap wrap-anywhere">{request.note}</p>
        <p>Verify the proof{mayRequestChanges && ', or request changes'}.</p>
      </Alert>
    )
  if (!consent?.needed) return null
  return (
    <Alert tone="yellow" className="mb-4" title="Rejecting needs an admin’s consent">
      {consentWhy(consent)} If you reject, an admin gets your reason and the evidence. The proof stays in review
      meanwhile, and without consent in time it is auto-verified.
    </Alert>
  )
}
