/** What stands in the place of an emailed link's screen where the link cannot be used. */
import { useLocation } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Outcome } from './Outcome.tsx'

type Way = { hint: string; to?: string; label?: string }

const ways: Record<string, Way> = {
  [paths.resetPassword]: { hint: ', or ask for a new one', to: paths.forgotPassword, label: 'Email me a new link' },
  [paths.verifyEmail]: {
    hint: ', or sign in and send yourself a new one',
    to: paths.dashboard,
    label: 'Go to dashboard',
  },
  [paths.undoEmailChange]: { hint: '. If you end up here again, copy the whole link into the address bar' },
}

/** `error` is null where the link is incomplete. */
export const LinkOver = ({ error }: { error: unknown }) => {
  const { hint, to, label }: Way = ways[useLocation().pathname] ?? { hint: '' }
  return (
    <Outcome
      tone="red"
      {...(!error && { title: 'This link is incomplete' })}
      action={
        to && (
          <ButtonLink to={to} className="w-full">
            {label}
          </ButtonLink>
        )
      }
    >
      {error ? messageOf(error) : `Open it again from the email${hint}.`}
    </Outcome>
  )
}
