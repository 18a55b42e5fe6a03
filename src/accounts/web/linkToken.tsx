import { type ComponentType, type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '../../kit/web/apiError.ts'
import { LinkOver } from './LinkOver.tsx'

/** As src/kit/server/linkTokens.ts makes them: what an email program has cut off is not. */
const isWhole = (token: string): boolean => /^[\w-]{24}$/.test(token)

export type LinkProps = {
  token: string
  /** Around each request with the token: passes its answer on, and ends the screen if the link is what was refused. */
  unlessOver: <T>(request: Promise<T>) => Promise<T>
}

type Props = {
  frame: ComponentType<{ done?: boolean; children: ReactNode }>
  screen: ComponentType<LinkProps>
}

/**
 * The screen of an emailed link; what to do instead where the link was cut off or is refused. Another link that is opened
 * in this tab only changes the address: it begins anew.
 */
export const LinkScreen = ({ frame: Frame, screen: Screen }: Props) => {
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token') ?? ''
  const [refused, setRefused] = useState({ token: '', error: null as unknown })
  const unlessOver = <T,>(request: Promise<T>) =>
    request.catch((error: unknown) => {
      if (error instanceof ApiError && 'token' in error.fields) setRefused({ token, error })
      throw error
    })
  return isWhole(token) && refused.token !== token ? (
    <Screen key={token} token={token} unlessOver={unlessOver} />
  ) : (
    <Frame done>
      <LinkOver error={refused.token === token ? refused.error : null} />
    </Frame>
  )
}
