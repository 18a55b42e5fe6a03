/** Apart from the other calls: its screen does without the query library. */
import { client } from '../../kit/web/api.ts'
import type { notificationApi } from '../contract.ts'

const api = client<typeof notificationApi>('notifications')

export const unsubscribe = (token: string, emails: boolean) => api.unsubscribe({ body: { token, emails } })
