import { useUser } from '../../../app/web/auth.tsx'
import { PageHeader } from '../../../app/web/ui/PageHeader.tsx'
import { PaymentMethodCard } from '../../../ledger/web/face.tsx'
import { DataCards } from './DataCards.tsx'
import { DevicesCard } from './DevicesCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { ThemeCard } from './ThemeCard.tsx'

export const SettingsPage = () => {
  const { role } = useUser()
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Settings" description="Your profile, how you sign in, and your data" />
      <div className="grid gap-5">
        <ProfileCard />
        {role !== 'ADMIN' && <PaymentMethodCard />}
        <DevicesCard />
        <PasswordCard />
        <SessionsCard />
        <ThemeCard />
        <DataCards />
      </div>
    </div>
  )
}
