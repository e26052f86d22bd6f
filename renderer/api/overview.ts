import type { Overview } from '../../server/contract/control-health.ts'
import { useRead } from './query.ts'

export function useOverview() {
  return useRead<Overview>('overview')
}
