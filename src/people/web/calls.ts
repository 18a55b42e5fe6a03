import { auditKeys } from '../../audit/web/keys.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate } from '../../kit/web/query.ts'
import type { peopleApi } from '../contract.ts'
import { peopleKeys } from './keys.ts'

export const api = client<typeof peopleApi>('people')

/** After an action on a user. A suspension also frees the user's seats and pauses the user's campaigns. */
export const refreshUsers = () => invalidate(peopleKeys.all, campaignKeys.all, auditKeys.all)
