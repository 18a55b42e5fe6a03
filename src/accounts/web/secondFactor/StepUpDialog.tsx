import type { StepUp } from '../../../kit/web/secondFactor.ts'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { factorApi } from '../calls.ts'
import { FactorForm } from './FactorForm.tsx'

export const StepUpDialog = ({ stepUp: { request, done } }: { stepUp: StepUp }) => (
  <Dialog
    open
    onOpenChange={() => done(false)}
    title="Confirm that it is you"
    description="This needs your second factor. You are not asked again for ten minutes."
  >
    <FactorForm
      request={request}
      onAnswer={async body => {
        await factorApi.stepUp({ body })
        done(true)
      }}
      onBack={() => done(false)}
      backLabel="Cancel"
    />
  </Dialog>
)
