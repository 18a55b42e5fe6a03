import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import type { Role } from '../../kit/roles.ts'
import { session } from '../../kit/web/session.ts'

/** The page of somebody who is signed in, in each test of the file. It is taken down first: a page without its user would fail. */
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
