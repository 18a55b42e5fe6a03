/** The library of passkeys, loaded for the first of them: with what reads certificates it takes 10 MB. */
export const webAuthn = () => import('@simplewebauthn/server')
