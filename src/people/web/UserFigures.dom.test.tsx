import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { UserFigures } from './UserFigures.tsx'

const counts = { total: 40, active: 30, developers: 10, testers: 30, newThisMonth: 2 }

test('new users since last month are reported in the specification’s words, if there are any', () => {
  const { rerender } = render(<UserFigures of={counts} />)
  expect(screen.getByText('+2 from last month')).toBeDefined()
  rerender(<UserFigures of={{ ...counts, newThisMonth: 0 }} />)
  expect(screen.queryByText(/from last month/)).toBeNull()
})
