import { Code, FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import type { registrationRoles } from '../contract.ts'

/** From spec §5. */
export const accountTypes: { value: (typeof registrationRoles)[number]; label: string; icon: ReactNode }[] = [
  { value: 'TESTER', label: 'Tester - Test apps and earn money', icon: <FlaskConical aria-hidden /> },
  { value: 'DEVELOPER', label: 'Developer - Create campaigns', icon: <Code aria-hidden /> },
]
