/** The library of passkeys, loaded for the first of them: with what reads certificates it takes megabytes. */
export const webAuthn = () => import('@simplewebauthn/server')
