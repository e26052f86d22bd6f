import { encodeText } from '../../core/encode-text.ts'
import { formDecode } from '../../core/basic-credentials.ts'
import type { FaultItem } from '../../contract/control-faults.ts'
import { describeRedirect } from './describe-change.ts'

/**
 * Changes the query of a redirect, and leaves all other characters as they are: apps may compare the rest.
 * @param location absolute URL, of any scheme
 * @returns also each change that was made, in a few words
 */
export function changeRedirect(
  location: string,
  rule: NonNullable<FaultItem['redirect']>,
): { location: string; changes: string[] } {
  const { set = {}, remove = [] } = rule
  const [target = '', fragment] = location.split(/(?=#)/, 2)
  const start = target.indexOf('?')
  const path = start < 0 ? target : target.slice(0, start)
  const present = start < 0 ? [] : target.slice(start + 1).split('&')
  const nameOf = (parameter: string) => formDecode(parameter.split('=', 1)[0] ?? '')
  const dropped = new Set([...remove, ...Object.keys(set)])
  const query = [
    ...present.filter((parameter) => parameter !== '' && !dropped.has(nameOf(parameter))),
    ...Object.entries(set).map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`),
  ].join('&')
  const names = new Set(present.map(nameOf))
  return {
    location: `${path}${query === '' ? '' : `?${query}`}${fragment ?? ''}`,
    changes: describeRedirect(rule, (name) => names.has(name)),
  }
}
