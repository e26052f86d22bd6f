import { useRead } from './query.ts'

export function useOverrides() {
  return useRead('GET overrides')
}
