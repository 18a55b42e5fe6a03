import { client } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import type { peopleApi } from '../contract.ts'

export const api = client<typeof peopleApi>('people')

/** After an action on a user: reloads the users and the other screens that show them. */
export const refreshUsers = async (): Promise<void> => {
  await Promise.all(['accounts', 'admin', 'fraud'].map(slice => queryClient.invalidateQueries({ queryKey: [slice] })))
}
