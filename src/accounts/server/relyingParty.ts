/** Who this server is to a passkey, and what it asks of admins; set when the server starts. */

type Setup = {
  /** The address in the browser's bar; its host is the passkeys' RP id. */
  publicUrl: string
  /** Admins may do nothing before they have a second factor (production). */
  adminsNeedFactor: boolean
}

let setup: Setup | undefined

export const useSecondFactors = (next: Setup): void => {
  setup = next
}

const current = () => {
  if (!setup) throw new Error('useSecondFactors() first')
  return setup
}

export const relyingParty = (): { id: string; name: string; origin: string } => {
  const { hostname, origin } = new URL(current().publicUrl)
  return { id: hostname, name: 'Fieldtest', origin }
}

export const adminsNeedFactor = (): boolean => current().adminsNeedFactor
