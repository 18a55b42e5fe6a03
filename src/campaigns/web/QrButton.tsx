import { QrCode } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'

const QrPicture = lazy(async () => ({ default: (await import('../../kit/web/ui/QrPicture.tsx')).QrPicture }))

/** Shows the link as a QR code, to open it on a phone; on the phone itself it would be of no use. */
export const QrButton = ({ link }: { link: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="ghost" size="sm" className="max-md:hidden" onClick={() => setOpen(true)}>
        <QrCode aria-hidden /> QR code
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Open the app on your phone"
        description="Scan the code with your phone’s camera."
      >
        <Suspense fallback={<Skeleton className="mx-auto size-64" />}>
          <QrPicture text={link} />
        </Suspense>
        <p className="mt-4 text-center text-muted-foreground wrap-anywhere">{link}</p>
      </Dialog>
    </>
  )
}
