import { useUser } from '../../kit/web/user.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'

/** What a dispute about the payment means for whoever reads it, since when, and what ends it. */
export const DisputeNotice = ({ of }: { of: NonNullable<Campaign['dispute']> }) => {
  const { role } = useUser()
  if (of.since === null) {
    return (
      <Alert tone="yellow" title="The bank took the payment back" className="mb-5">
        {role === 'TESTER'
          ? 'For you nothing changes: check in and submit your proof as before. What is verified is paid.'
          : 'Nobody new gets in. Testers inside finish and are paid; what is left covers what the bank has returned, and only the rest is refunded.'}
      </Alert>
    )
  }
  return (
    <Alert
      tone="yellow"
      className="mb-5"
      title={
        <>
          The payment has been disputed since <DateTime at={of.since} withTime />
        </>
      }
    >
      {role === 'TESTER'
        ? 'For you nothing changes: check in and submit your proof as before. What is verified is paid, and no proof can be rejected by the developer.'
        : `Until the bank has decided, nobody joins, refunds and completion wait, and ${role === 'DEVELOPER' ? 'you cannot reject proofs' : 'the developer cannot reject proofs'}. Testers inside go on, and are paid for what is verified.`}
    </Alert>
  )
}
