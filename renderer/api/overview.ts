import { useRead } from './query.ts'

export function useOverview() {
  return useRead('GET overview')
}
