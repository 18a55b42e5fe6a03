import { client } from '../../../app/web/api.ts'

export const api = client('accounts')
