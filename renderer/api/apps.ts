import type { AppList } from '../../server/contract/control-apps.ts'
import { useRead, wholeList } from './query.ts'

export function useApps() {
  return useRead<AppList>('apps', '', { query: wholeList })
}
