const all = ['notifications'] as const

export const notificationKeys = {
  all,
  list: [...all, 'list'],
}
