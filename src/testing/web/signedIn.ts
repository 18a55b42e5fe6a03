import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import type { Role } from '../../kit/roles.ts'
import { session } from '../../kit/web/session.ts'

/** Signs somebody in for each test of the file, and unmounts the page before signing out, because it fails without a user. */
export const signedInAs = (role: Role): void => {
  beforeEach(() =>
    session.signIn({
      accessToken: 'access',
      refreshToken: 'refresh',
      user: { id: 'd1', name: 'Dora', email: 'dora@example.test', role },
    }),
  )
  afterEach(() => {
    cleanup()
    session.clear()
  })
}
