import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester } from '../contract.ts'
import { contestHours } from '../terms.ts'
import { api, refreshTests } from './calls.ts'
import { OptInScreenshot } from './OptInScreenshot.tsx'

const schema = async () => (await import('../contract.ts')).participationApi.contestOptIn.body

export const ContestDialog = ({ of: { id, alias, run }, onClose }: { of: CampaignTester; onClose: () => void }) => (
  <ReasonDialog
    form={useSchemaForm(schema, { reason: '' })}
    name="reason"
    onClose={onClose}
    title={`Contest the opt-in of ${alias}?`}
    description={`It stops counting for your clock until the tester proves it or an admin decides; after ${contestHours} hours without a decision it counts again from its first day. Days, check-ins, proof and pay are not affected. You can do this once for each opt-in.`}
    hint="Say what makes you doubt it, such as the number that Play Console shows. The tester and an admin see this."
    submitLabel="Contest opt-in"
    onSubmit={async body => {
      await api.contestOptIn({ params: { id }, body })
      notify.success('Opt-in contested')
      void refreshTests()
    }}
  >
    <OptInScreenshot of={run?.screenshot ?? null} />
  </ReasonDialog>
)
