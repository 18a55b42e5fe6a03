import { useQuery } from '@tanstack/react-query'
import { KeyRound, LogOut, Smartphone } from 'lucide-react'
import { Suspense, useState } from 'react'
import { queryClient } from '../../../kit/web/query.ts'
import { secondFactor } from '../../../kit/web/secondFactor.ts'
import { Brand } from '../../../kit/web/ui/Brand.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { DocumentTitle } from '../../../kit/web/ui/DocumentTitle.tsx'
import { useUser } from '../../../kit/web/user.ts'
import { useAuth } from '../auth.tsx'
import { factorApi } from '../calls.ts'
import { accountKeys } from '../keys.ts'
import { PasskeyDialog, TotpDialog } from './parts.ts'

/** In production, an admin sees nothing else before they have a second factor. */
export const SetupScreen = () => {
  const { logout } = useAuth()
  const { email } = useUser()
  const [opened, setOpened] = useState<'PASSKEY' | 'TOTP' | null>(null)
  const factors = useQuery({
    queryKey: accountKeys.secondFactors,
    queryFn: ({ signal }) => factorApi.secondFactors({ signal }),
  })
  /** Called when the recovery codes have been seen, or the dialog was closed. */
  const close = async () => {
    setOpened(null)
    const { data } = await factors.refetch()
    if (!data?.inForce) return
    secondFactor.finishSetup()
    // Repeats everything that was refused before.
    await queryClient.resetQueries()
  }
  const dialog = { inForce: factors.data?.inForce ?? false, onClose: () => void close() }
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-xl flex-col px-5 py-6">
      <DocumentTitle title="Set up a second factor" />
      <header className="flex items-center justify-between gap-3">
        <Brand />
        <Button variant="ghost" size="sm" onClick={logout}>
          <LogOut aria-hidden /> Log out
        </Button>
      </header>
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col justify-center py-10">
        <h1 className="text-2xl font-semibold tracking-tight">Set up a second factor</h1>
        <p className="mt-1 mb-6 text-muted-foreground">
          Admins need more than a password here. Add a passkey or an authenticator app for{' '}
          <span className="wrap-anywhere">{email}</span> to continue.
        </p>
        <div className="grid gap-4">
          <Card
            title="Passkey"
            description="Uses your fingerprint, face, device PIN or a security key. The safest choice."
            action={
              <Button onClick={() => setOpened('PASSKEY')}>
                <KeyRound aria-hidden /> Add a passkey
              </Button>
            }
          />
          <Card
            title="Authenticator app"
            description="A six-digit code from an app on your phone."
            action={
              <Button variant="outline" onClick={() => setOpened('TOTP')}>
                <Smartphone aria-hidden /> Set up an app
              </Button>
            }
          />
        </div>
      </main>
      <Suspense>
        {opened === 'PASSKEY' && <PasskeyDialog {...dialog} />}
        {opened === 'TOTP' && <TotpDialog {...dialog} />}
      </Suspense>
    </div>
  )
}
