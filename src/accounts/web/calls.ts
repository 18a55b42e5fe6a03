import { client } from '../../kit/web/api.ts'
import type { accountApi } from '../contract.ts'
import type { secondFactorApi } from '../secondFactorContract.ts'

export const api = client<typeof accountApi>('accounts')
export const factorApi = client<typeof secondFactorApi>('secondFactor')
