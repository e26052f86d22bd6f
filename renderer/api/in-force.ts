import { useRead } from './query.ts'

export function useInForce() {
  return useRead('GET in-force')
}
