import { Monitor, Moon, Sun } from 'lucide-react'
import { type Theme, useTheme } from '../../../kit/web/theme.ts'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { RadioCards } from '../../../kit/web/ui/Choice.tsx'

const options: { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
]

export const ThemeCard = () => {
  const { theme, setTheme } = useTheme()
  return (
    <Card title={<span id="theme-title">Theme</span>} description="Applies to this browser only.">
      <RadioCards
        name="theme"
        aria-labelledby="theme-title"
        className="sm:grid-cols-3"
        options={options}
        value={theme}
        onChange={setTheme}
      />
    </Card>
  )
}
