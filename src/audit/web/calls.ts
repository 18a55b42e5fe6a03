import { client } from '../../kit/web/api.ts'
import type { auditApi } from '../contract.ts'

export const api = client<typeof auditApi>('audit')
