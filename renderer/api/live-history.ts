import { useSyncExternalStore } from 'react'
import type { LiveEntry, LiveMessage } from '../../server/contract/live.ts'
import { useLive } from './live-context.ts'

/** What the feed told lately, newest first: the activity on the overview. */
export interface LiveHistory {
  entries: () => readonly LiveEntry[]
  add: (message: LiveMessage) => void
  subscribe: (listener: () => void) => () => void
}

const capacity = 500

export function createLiveHistory(): LiveHistory {
  const listeners = new Set<() => void>()
  let entries: readonly LiveEntry[] = []
  return {
    entries: () => entries,
    add(message) {
      const known = message.gap ? [] : entries
      entries = [...message.entries.toReversed(), ...known].slice(0, capacity)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useLiveHistory(): readonly LiveEntry[] {
  const { history } = useLive()
  return useSyncExternalStore(history.subscribe, history.entries)
}
