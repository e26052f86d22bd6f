import { Icon } from '../ui/icon.tsx'
import { Segments } from '../ui/segments.tsx'
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../lib/theme.ts'
import { words } from './words.ts'

const choices: readonly { value: ThemeChoice; icon: 'screen' | 'sun' | 'moon'; name: string }[] = [
  { value: 'system', icon: 'screen', name: 'System' },
  { value: 'light', icon: 'sun', name: 'Light' },
  { value: 'dark', icon: 'moon', name: 'Dark' },
]

export function ThemeSwitch() {
  const choice = useThemeChoice()
  return (
    <Segments
      label={words.theme}
      value={choice}
      onChange={chooseTheme}
      options={choices.map(({ value, icon, name }) => ({
        value,
        label: (
          <>
            <Icon name={icon} className="size-3.5" />
            <span className="sr-only">{name}</span>
          </>
        ),
      }))}
    />
  )
}
