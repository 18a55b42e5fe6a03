import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'

/** Of the settings: leads to the choices. */
export const NotificationsCard = () => (
  <Card
    title="Notifications"
    description="In the app, by email immediately, in a daily or weekly digest, or never."
    action={
      <ButtonLink variant="outline" size="sm" to={paths.notificationChoices}>
        Notification settings
      </ButtonLink>
    }
  />
)
