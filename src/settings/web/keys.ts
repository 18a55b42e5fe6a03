const all = ['settings'] as const

export const settingsKeys = {
  all,
  current: [...all, 'current'],
}
