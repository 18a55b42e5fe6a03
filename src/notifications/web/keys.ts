const all = ['notifications'] as const

export const notificationKeys = {
  all,
  list: [...all, 'list'],
  choices: [...all, 'choices'],
}
