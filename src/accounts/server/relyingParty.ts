/** How this server presents itself to passkeys, and whether admins need a factor; set at startup. */

type Setup = {
  /** The address in the browser's address bar; its host is the RP id of passkeys. */
  publicUrl: string
  /** Whether admins can do nothing before they have a second factor (in production). */
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
