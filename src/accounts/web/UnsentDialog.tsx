import { type Unsent, removeUnsent } from '../../kit/web/drafts.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { useTask } from '../../kit/web/task.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { DialogButtons } from '../../kit/web/ui/DialogButtons.tsx'
import { counted } from '../../kit/words.ts'

/** A user who is about to sign out of a device that keeps drafts of theirs. */
export type Leaving = { userId: string; unsent: Unsent; leave: () => void }

/** Whether the drafts stay on the device is the user’s decision, because others may use it too. */
export const UnsentDialog = ({ of: { userId, unsent, leave }, onClose }: { of: Leaving; onClose: () => void }) => {
  const removing = useTask(async () => {
    await removeUnsent(userId)
    onClose()
    leave()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={removing.pending}
      title={`Log out with ${counted(unsent.count, 'unsent draft')}?`}
      description={`Not sent yet: ${unsent.what}${unsent.files > 0 ? `, with ${counted(unsent.files, 'file')}` : ''}.`}
    >
      <p>
        Kept on this device, {unsent.count === 1 ? 'it waits' : 'they wait'} until you sign in again, but others who use
        this device could find {unsent.count === 1 ? 'it' : 'them'} in the browser’s data. Removed,{' '}
        {unsent.count === 1 ? 'it is' : 'they are'} lost.
      </p>
      {Boolean(removing.error) && (
        <Alert tone="red" className="mt-4">
          {messageOf(removing.error)}
        </Alert>
      )}
      <DialogButtons className="mt-5">
        <Button variant="outline" disabled={removing.pending} onClick={onClose}>
          Stay
        </Button>
        <Button variant="outline" loading={removing.pending} onClick={() => void removing.run()}>
          Log out and remove
        </Button>
        <Button
          disabled={removing.pending}
          onClick={() => {
            onClose()
            leave()
          }}
        >
          Log out and keep
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
