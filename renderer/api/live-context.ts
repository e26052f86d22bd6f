import { createContext, useContext, useSyncExternalStore } from 'react'
import type { LiveEntry } from '../../server/contract/live.ts'
import type { LiveConnection, LiveStatus } from './live.ts'
import type { LiveHistory } from './live-history.ts'

export interface Live {
  connection: LiveConnection
  history: LiveHistory
}

export const LiveContext = createContext<Live | undefined>(undefined)

export function useLive(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new TypeError('useLive() is for what stands inside LiveContext')
  return live
}

export function useLiveStatus(): LiveStatus {
  const { connection } = useLive()
  return useSyncExternalStore(connection.onStatus, connection.status)
}

export function useLiveHistory(): readonly LiveEntry[] {
  const { history } = useLive()
  return useSyncExternalStore(history.subscribe, history.entries)
}
