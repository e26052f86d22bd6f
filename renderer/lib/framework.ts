import { frameworks, type Framework } from '../../server/contract/words/sandbox-words.ts'
import { useStoredState } from './stored-state.ts'

const isFramework = (value: unknown): value is Framework =>
  frameworks.some((framework) => framework === value)

/** The framework whose code is shown, as this browser last chose it. */
export function useFramework(): [Framework, (next: Framework) => void] {
  return useStoredState<Framework>('hub-sandbox:framework', frameworks[0], isFramework)
}
