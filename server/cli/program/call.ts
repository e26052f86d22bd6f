import type { ControlKey } from '../../contract/control-call.ts'
import type { CallRow, Row } from './row.ts'

/**
 * Creates the row of a command that calls the control API once. This is all of `fault remove`, with `latest` as an id,
 * completion, a message for an unknown id, and `--json`:
 *
 *     call('DELETE faults/:id', {
 *       name: 'remove <id>',
 *       does: 'Remove a rule',
 *       arguments: { id: { help: 'Rule id, or "latest"', of: 'fault rule' } },
 *       examples: { 'Remove the newest rule': 'hub-sandbox fault remove latest' },
 *     })
 */
export function call<K extends ControlKey>(key: K, row: CallRow<K>): Row {
  return {
    ...(row.columns && { json: 'Print the items as JSON' }),
    ...row,
    key,
    load: async () => (await import('./run-call.ts')).createCall(key, row),
  }
}
