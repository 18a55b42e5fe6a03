/** Rules of Play addresses. Pure; shared by the server and the screens. */

/** How many days an address is kept after the end of its campaign. */
export const addressKeptDays = 30

const isGooglemail = (address: string): boolean => /@googlemail\.com\s*$/i.test(address)

/** A hint what to check before sending the address; null if it looks fine. */
export const addressWarning = (address: string): string | null =>
  isGooglemail(address)
    ? 'Google Play treats gmail.com and googlemail.com as different addresses. Enter the address exactly as your Play Store shows it when you tap your profile picture.'
    : null

/**
 * Returns the same text for addresses of the same Google account: Gmail ignores dots and anything after a plus, and googlemail.com
 * is its other name. Used to find one account behind several users; never sent anywhere.
 */
export const accountBehind = (address: string): string => {
  const [name = '', domain = ''] = address.trim().toLowerCase().split('@')
  const [account = ''] = name.split('+')
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${account.replaceAll('.', '')}@gmail.com` : `${account}@${domain}`
}
