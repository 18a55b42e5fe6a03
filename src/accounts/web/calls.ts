import { client } from '../../kit/web/api.ts'
import type { accountApi } from '../contract.ts'

export const api = client<typeof accountApi>('accounts')
