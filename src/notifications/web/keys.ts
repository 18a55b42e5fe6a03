const all = ['notifications'] as const

export const notificationKeys = {
  all,
  list: [...all, 'list'],
  groups: [...all, 'groups'],
  groupsOf: (...filters: (string | null)[]) => [...all, 'groups', ...filters],
  choices: [...all, 'choices'],
}
