import { client } from '../../kit/web/api.ts'
import type { landingApi } from '../contract.ts'

export const api = client<typeof landingApi>('landing')
