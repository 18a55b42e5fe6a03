import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { UserFigures } from './UserFigures.tsx'

const counts = { total: 40, active: 30, developers: 10, testers: 30, newThisMonth: 2 }

test('the number of users is compared with last month, in the specification’s words, if any are new', () => {
  const { rerender } = render(<UserFigures of={counts} />)
  expect(screen.getByText('+2 from last month')).toBeDefined()
  rerender(<UserFigures of={{ ...counts, newThisMonth: 0 }} />)
  expect(screen.queryByText(/from last month/)).toBeNull()
})
