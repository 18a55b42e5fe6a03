import { useLocation } from 'react-router'

/** The token of the emailed link that opened this screen; '' when the link was cut off, which the server refuses. */
export const useLinkToken = (): string => new URLSearchParams(useLocation().hash.slice(1)).get('token') ?? ''
