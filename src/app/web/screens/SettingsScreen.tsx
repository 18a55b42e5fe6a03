import { lazy } from 'react'
import { paidAtProvider } from '../../../kit/web/paidAtProvider.ts'
import { useUser } from '../../../kit/web/user.ts'
import { PageHeader } from '../../../kit/web/ui/PageHeader.tsx'
import { PaymentMethodCard } from '../../../ledger/web/PaymentMethodCard.tsx'
import { PayoutDestinationCard } from '../../../ledger/web/PayoutDestination.tsx'
import { EmailCard } from '../../../accounts/web/settings/EmailCard.tsx'
import { DataCards } from '../../../accounts/web/settings/DataCards.tsx'
import { DevicesCard } from '../../../participations/web/DevicesCard.tsx'
import { PasswordCard } from '../../../accounts/web/settings/PasswordCard.tsx'
import { ProfileCard } from '../../../accounts/web/settings/ProfileCard.tsx'
import { SecurityCard } from '../../../accounts/web/settings/SecurityCard.tsx'
import { SessionsCard } from '../../../accounts/web/settings/SessionsCard.tsx'
import { ThemeCard } from '../../../accounts/web/settings/ThemeCard.tsx'
import { OwnFigures } from '../../../reputation/web/face.tsx'
import { NotificationsCard } from '../../../notifications/web/NotificationsCard.tsx'
import { settingsHead } from './heads.ts'

// Only the dialog that deletes the account shows it.
const OwnBalance = lazy(async () => ({ default: (await import('../../../ledger/web/OwnBalance.tsx')).OwnBalance }))

export const SettingsScreen = () => {
  const { role } = useUser()
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader {...settingsHead} />
      <div className="grid gap-5">
        <ProfileCard />
        <EmailCard />
        {role === 'TESTER' && <PayoutDestinationCard />}
        {role === 'DEVELOPER' && !paidAtProvider() && <PaymentMethodCard />}
        <DevicesCard />
        {role !== 'ADMIN' && <OwnFigures />}
        <PasswordCard />
        <SecurityCard />
        <SessionsCard />
        <NotificationsCard />
        <ThemeCard />
        <DataCards balance={OwnBalance} />
      </div>
    </div>
  )
}
