import type { AppItem } from '../../server/contract/control-apps.ts'
import { useWholeList } from './query.ts'

export function useApps() {
  return useWholeList<AppItem>('apps')
}
