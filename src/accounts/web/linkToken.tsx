import { useSearchParams } from 'react-router'

/** The token of the emailed link that opened this screen; '' when the link was cut off, which the server refuses. */
export const useLinkToken = (): string => useSearchParams()[0].get('token') ?? ''
