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
          ? 'Nothing changes for you: check in and submit your proof as before. You are paid once your test is verified.'
          : 'No new testers can join. Current testers can finish and will be paid. What is left first covers the amount the bank returned; only the remainder is refunded.'}
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
        ? 'Nothing changes for you: check in and submit your proof as before. You are paid once your test is verified, and the developer cannot reject your proof.'
        : `Until the bank decides, no one can join, refunds and completion are on hold, and ${role === 'DEVELOPER' ? 'you cannot reject proofs' : 'the developer cannot reject proofs'}. Current testers continue and are paid for verified tests.`}
    </Alert>
  )
}
