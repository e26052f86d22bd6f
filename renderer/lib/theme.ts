import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

/** Also read by public/theme.js before the first paint. */
const storageKey = 'hub-sandbox-theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function readChoice(): ThemeChoice {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function apply(): void {
  const choice = readChoice()
  const dark = choice === 'system' ? prefersDark.matches : choice === 'dark'
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

prefersDark.addEventListener('change', apply)
// Another tab may choose.
window.addEventListener('storage', apply)

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, choice)
  apply()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, readChoice)
}
