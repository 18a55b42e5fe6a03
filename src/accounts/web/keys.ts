const all = ['accounts'] as const

export const accountKeys = {
  all,
  me: [...all, 'me'],
  sessions: [...all, 'sessions'],
  secondFactors: [...all, 'second-factors'],
}
