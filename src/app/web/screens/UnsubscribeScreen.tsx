import { Link, useLocation } from 'react-router'
import { AccountFrame } from '../../../accounts/web/AccountFrame.tsx'
import { paths } from '../../../kit/paths.ts'
import { Unsubscribe } from '../../../notifications/web/Unsubscribe.tsx'

/** The link in the footer of an email has its token after the `#`; the link for mail programs has it in the query. */
const tokenIn = ({ hash, search }: { hash: string; search: string }) =>
  new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token') ?? ''

export const UnsubscribeScreen = () => (
  <AccountFrame
    title="Turn off emails"
    lead="We always email you about security, withdrawals and your payment method."
    footer={<Link to={paths.notificationChoices}>All notification settings</Link>}
  >
    <Unsubscribe token={tokenIn(useLocation())} />
  </AccountFrame>
)
