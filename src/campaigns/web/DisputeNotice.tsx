import { useUser } from '../../kit/web/user.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { hasOpenTests } from './openTests.ts'

type Disputed = Pick<Campaign, 'status' | 'dispute' | '_count' | 'frozen'>

const whileOpen = (campaign: Disputed, ended: boolean, whose: string) => {
  if (!ended)
    return `Until the bank decides, no one can join, refunds and completion are on hold, and ${whose} cannot reject proofs.${hasOpenTests(campaign) ? ' Current testers continue and are paid for verified tests.' : ''}`
  return hasOpenTests(campaign)
    ? `Until the bank decides, refunds are on hold, and ${whose} cannot reject the proofs that are still under review. Verified tests are paid.`
    : 'Until the bank decides, refunds are on hold.'
}

const onceLost = (campaign: Disputed, ended: boolean) => {
  const goOn = hasOpenTests(campaign) ? 'Current testers can finish and will be paid. ' : ''
  return `${ended ? '' : `No new testers can join. ${goOn}`}Unused funds first cover what the bank took back, and only the rest is refunded.`
}

/** What a dispute about the payment means for the reader, since when it lasts, and what ends it. */
export const DisputeNotice = ({ of: campaign }: { of: Disputed }) => {
  const { role } = useUser()
  const { dispute } = campaign
  if (!dispute) return null
  const ended = campaign.status === 'COMPLETED' || campaign.status === 'CANCELLED'
  if (dispute.since === null) {
    return (
      <Alert tone="yellow" title="The bank took the payment back" className="mb-5">
        {role === 'TESTER'
          ? 'Nothing changes for you: check in and submit your proof as before. You are paid once your test is verified.'
          : onceLost(campaign, ended)}
      </Alert>
    )
  }
  return (
    <Alert
      tone="yellow"
      className="mb-5"
      title={
        <>
          The payment has been disputed since <DateTime at={dispute.since} withTime />
        </>
      }
    >
      {role === 'TESTER'
        ? 'Nothing changes for you: check in and submit your proof as before. You are paid once your test is verified, and the developer cannot reject your proof.'
        : whileOpen(campaign, ended, role === 'DEVELOPER' ? 'you' : 'the developer')}
    </Alert>
  )
}
