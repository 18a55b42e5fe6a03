import type { StepUp } from '../../../kit/web/secondFactor.ts'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { factorApi } from '../calls.ts'
import { FactorForm } from './FactorForm.tsx'

export const StepUpDialog = ({ stepUp: { request, done } }: { stepUp: StepUp }) => (
  <Dialog
    open
    onOpenChange={() => done(false)}
    title="Confirm your identity"
    description="This action requires your second factor. We will not ask again for ten minutes."
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
