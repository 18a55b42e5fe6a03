import { formatCents } from '../../kit/money.ts'
import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { type CampaignTester, participationApi } from '../contract.ts'
import { appealHours, minRejectionReason, rejectionCodes } from '../terms.ts'
import { api, refreshTests } from './calls.ts'
import { consentWhy, useConsent } from './ConsentNotice.tsx'
import { rejectionWords } from './statusWords.ts'

const codeOptions = [
  { value: '', label: 'Choose a problem' },
  ...rejectionCodes.map(value => ({ value, label: rejectionWords[value] })),
]

type Props = { of: CampaignTester; onClose: () => void; onDone: () => void; onAsked: () => void }

export const RejectDialog = ({ of: { id, alias, campaign, proof }, onClose, onDone, onAsked }: Props) => {
  const consent = useConsent()
  const asks = consent?.needed === true
  const form = useSchemaForm(participationApi.reject.body, { reason: '', proofSubmittedAt: proof?.submittedAt })
  return (
    <ReasonDialog
      form={form}
      name="reason"
      minLength={minRejectionReason}
      onClose={onClose}
      title={asks ? `Ask an admin to reject ${alias}’s proof?` : `Reject ${alias}’s proof?`}
      description={
        asks
          ? `${consentWhy(consent)} They get your reason and the evidence. The proof stays in review meanwhile: without consent in time it is auto-verified.`
          : campaign.status === 'CANCELLED'
            ? `The tester sees your reason and can appeal within ${appealHours} hours. Until then the ${formatCents(campaign.payPerTesterCents)} for this seat and its fee stay held; without an appeal they are refunded to the developer, unless a payment dispute holds them.`
            : `The tester sees your reason and can appeal within ${appealHours} hours. Until then this seat stays taken and its pay and fee stay held; without an appeal the seat is free again.`
      }
      submitLabel={asks ? 'Ask an admin' : 'Reject proof'}
      submitVariant="destructive"
      onSubmit={async body => {
        const { status } = await api.reject({ params: { id }, body }).finally(() => void refreshTests())
        const isRejected = status !== 'SUBMITTED'
        notify.success(isRejected ? `${alias}’s proof was rejected` : `An admin decides on ${alias}’s proof`)
        if (isRejected) onDone()
        else onAsked()
      }}
    >
      <Field of={form} name="code" label="Problem">
        {({ value, ...control }) => <Select {...control} value={value ?? ''} options={codeOptions} />}
      </Field>
    </ReasonDialog>
  )
}
