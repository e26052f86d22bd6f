import { readStored, useStoredState } from './stored-state.ts'

// Settings that this browser keeps for the dashboard.

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const singleKeys = ['hub-sandbox-single-keys', true, isBoolean] as const

export function useFirstStepsDismissed(): [boolean, (dismissed: boolean) => void] {
  return useStoredState('first-steps-dismissed', false, isBoolean)
}

/** Checks whether letters, digits and punctuation act without a modifier key (WCAG 2.1.4). */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  return useStoredState(...singleKeys)
}

export function hasSingleKeys(): boolean {
  return readStored(...singleKeys)
}
