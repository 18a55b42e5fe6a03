import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { accessWords } from '../accessWords.ts'
import type { CampaignTester } from '../contract.ts'
import { waitingPay } from '../deadlines.ts'
import { accessProblems, mostNoAccessReports, waitingMayLeaveDays } from '../terms.ts'
import { api, refreshTests } from './calls.ts'

const options = accessProblems.map(value => ({ value, label: accessWords[value].choice }))

const schema = async () => (await import('../contract.ts')).participationApi.reportNoAccess.body

type Props = { of: CampaignTester; onClose: () => void }

/** Says what follows from the report before it is sent. */
export const NoAccessDialog = ({ of: { id, campaign, noAccess }, onClose }: Props) => {
  // No answer is preselected, since the developer looks where the answer points.
  const form = useSchemaForm(schema, {})
  const isLast = (noAccess?.reports ?? 0) + 1 === mostNoAccessReports
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Google Play does not let you in?"
      description={
        <>
          The developer is asked to look into it and to let you in. Until then nothing is due, and after{' '}
          {waitingMayLeaveDays} days you may leave with one day’s pay (<Money cents={waitingPay(campaign)} />
          ).{isLast && ' You can report it this one more time, and our admins are told.'}
        </>
      }
      submitLabel="Report to the developer"
      onSubmit={async body => {
        await api.reportNoAccess({ params: { id }, body })
        notify.success('The developer was asked to let you in')
        void refreshTests()
      }}
    >
      <Field of={form} name="problem" label="What does Google Play show?" group>
        {control => <RadioCards {...control} options={options} />}
      </Field>
    </FormDialog>
  )
}
