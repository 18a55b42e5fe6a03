import { client } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import type { peopleApi } from '../contract.ts'

export const api = client<typeof peopleApi>('people')

/** After something was done to a user: the list, the profile, the figures, and what of it stands on other screens. */
export const refreshUsers = async (): Promise<void> => {
  await Promise.all(['accounts', 'admin', 'fraud'].map(slice => queryClient.invalidateQueries({ queryKey: [slice] })))
}
