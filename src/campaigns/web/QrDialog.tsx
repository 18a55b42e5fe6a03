import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { QrPicture } from '../../kit/web/ui/QrPicture.tsx'

export const QrDialog = ({ link, onClose }: { link: string; onClose: () => void }) => (
  <Dialog
    open
    onOpenChange={onClose}
    title="Open the app on your phone"
    description="Scan the code with your phone’s camera."
  >
    <QrPicture text={link} />
    <p className="mt-4 text-center text-muted-foreground wrap-anywhere">{link}</p>
  </Dialog>
)
