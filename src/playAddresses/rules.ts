/** Rules of Play addresses. Pure; shared by the server and the screens. */

/** Days that an address is kept after its campaign has ended. */
export const addressKeptDays = 30

const isGooglemail = (address: string): boolean => /@googlemail\.com\s*$/i.test(address)

/** What to look at before the address is sent, as a sentence; null when nothing stands out. */
export const addressWarning = (address: string): string | null =>
  isGooglemail(address)
    ? 'Google Play compares the letters: gmail.com and googlemail.com are not the same to it. Enter the address as your Play Store shows it when you tap your picture.'
    : null

/**
 * Equal for addresses that reach one Google account: Gmail ignores dots and what follows a plus, and googlemail.com is its
 * other name. For finding one account behind several users; never sent anywhere.
 */
export const accountBehind = (address: string): string => {
  const [name = '', domain = ''] = address.trim().toLowerCase().split('@')
  const [account = ''] = name.split('+')
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${account.replaceAll('.', '')}@gmail.com` : `${account}@${domain}`
}
