import { Suspense, lazy, useState } from 'react'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Card } from '../../../kit/web/ui/Card.tsx'

const PasswordDialog = lazy(async () => ({ default: (await import('./PasswordDialog.tsx')).PasswordDialog }))

export const PasswordCard = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Card
        title="Password"
        description="Changing it signs you out on all other devices."
        action={
          <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
            Change password
          </Button>
        }
      />
      {open && (
        <Suspense>
          <PasswordDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
