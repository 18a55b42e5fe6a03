import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** Shows recovery codes for the only time. */
export const SaveCodesDialog = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <Dialog open onOpenChange={onClose} title="Save your recovery codes" locked>
    <RecoveryCodes codes={codes} onDone={onClose} />
  </Dialog>
)
