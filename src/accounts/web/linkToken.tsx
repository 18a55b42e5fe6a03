import { useLocation } from 'react-router'

/** The token of the emailed link that opened this screen; '' when the link was cut off. */
export const useLinkToken = (): string => new URLSearchParams(useLocation().hash.slice(1)).get('token') ?? ''

/** As src/kit/server/linkTokens.ts makes them: what an email program has cut off is not. */
export const isWhole = (token: string): boolean => /^[\w-]{24}$/.test(token)
