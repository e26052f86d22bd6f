import { useState } from 'react'

/** State stored as JSON in localStorage. */
export function useStoredState<T>(
  key: string,
  initial: T,
  isValid: (value: unknown) => value is T,
): [T, (value: T) => void] {
  const [value, setValue] = useState(() => read(key, initial, isValid))
  return [
    value,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next))
      setValue(next)
    },
  ]
}

function read<T>(key: string, initial: T, isValid: (value: unknown) => value is T): T {
  const stored = localStorage.getItem(key)
  if (stored === null) return initial
  try {
    const value: unknown = JSON.parse(stored)
    return isValid(value) ? value : initial
  } catch (error) {
    // Stored text may be invalid: the default applies.
    if (error instanceof SyntaxError) return initial
    throw error
  }
}

export function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
