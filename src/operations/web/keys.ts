const all = ['operations'] as const

export const operationsKeys = { all, current: [...all, 'current'] }
