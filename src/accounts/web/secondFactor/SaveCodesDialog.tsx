import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { LeaveGuard } from '../../../kit/web/ui/LeaveGuard.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** Shows recovery codes for the only time, so even the browser's Back button asks first. */
export const SaveCodesDialog = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <>
    <Dialog open onOpenChange={onClose} title="Save your recovery codes" locked>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Dialog>
    <LeaveGuard dirty title="Leave without saving your codes?" description="Your recovery codes are not shown again." />
  </>
)
