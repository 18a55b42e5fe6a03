import { client } from '../../kit/web/api.ts'

export const api = client('admin')
