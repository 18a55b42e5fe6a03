import { QrCode } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'

const QrDialog = lazy(async () => ({ default: (await import('./QrDialog.tsx')).QrDialog }))

/** Shows the link as a QR code, to open it on a phone. Hidden on a phone, where it is of no use. */
export const QrButton = ({ link }: { link: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="ghost" size="sm" className="max-md:hidden" onClick={() => setOpen(true)}>
        <QrCode aria-hidden /> QR code
      </Button>
      {open && (
        <Suspense>
          <QrDialog link={link} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
