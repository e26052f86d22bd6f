import { useMemo, useSyncExternalStore } from 'react'

type IsValid<T> = (value: unknown) => value is T

/** State stored as JSON in localStorage; the same in all parts and tabs that use it. */
export function useStoredState<T>(
  key: string,
  initial: T,
  isValid: IsValid<T>,
): [T, (value: T) => void] {
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const value = useMemo(() => parse(stored, initial, isValid), [stored, initial, isValid])
  return [value, (next) => store(key, next)]
}

/** Reads the state outside of a component. */
export function readStored<T>(key: string, initial: T, isValid: IsValid<T>): T {
  return parse(localStorage.getItem(key), initial, isValid)
}

function store(key: string, value: unknown): void {
  localStorage.setItem(key, JSON.stringify(value))
  // The browser reports a change to other tabs only.
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

function parse<T>(stored: string | null, initial: T, isValid: IsValid<T>): T {
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
