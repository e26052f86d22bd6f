import type { ControlKey } from '../../contract/control-call.ts'
import type { CallRow, Row } from './row.ts'

/** Creates the row of a command that calls the control API once. */
export function call<K extends ControlKey>(key: K, row: CallRow<K>): Row {
  return { ...row, key, load: async () => (await import('./run-call.ts')).createCall(key, row) }
}
